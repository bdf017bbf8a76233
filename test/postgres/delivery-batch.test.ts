import { createHash } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { importSecretKeys } from '../../lib/events/secrets/secrets.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueDestinationOf } from '../../lib/events/sending/destinations.ts'
import { leaseBatch } from '../../lib/events/sending/lease.ts'
import { deliverBatch } from '../../lib/events/sending/run.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { recordedNotifications, recordRules, resultOf } from '../support/leases.ts'
import { insertAgent, newWallet } from '../support/stored-agents.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

type Agent = { id: string; pubkey: Wallet; url: string }
type Endpoint = 'healthy' | 'failing' | 'new' | 'disabled'

/** Stores an agent with so many due deliveries: one of its registration, the others of hires. */
async function createAgent(due: number, endpoint: Endpoint = 'healthy'): Promise<Agent> {
  const url = `https://${crypto.randomUUID()}.example.com/`
  const { id, pubkey } = await insertAgent(db, {
    id: crypto.randomUUID(),
    pubkey: newWallet(),
    name: 'Agent',
    agentType: 'autonomous',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 1n,
    webhookUrl: url,
    registeredAt: NOW,
  })
  for (let n = 1; n < due; n++) {
    await tryToHire(db, {
      id: crypto.randomUUID(),
      wallet: newWallet(),
      agentId: id,
      autoRenew: false,
      termDays: 1,
      now: NOW,
    })
  }
  if (due === 0) await query('delete from deliveries where endpoint_id = $1', id)
  if (endpoint === 'disabled')
    await query('update agents set webhook_disabled_at = $2 where id = $1', id, NOW)
  if (endpoint === 'new') return { id, pubkey, url }
  await query(
    `insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, failing_since, last_attempt_at)
      values ($1, $2, $5, $3, $4, case when $4 then null else $3::timestamptz end, $3)`,
    pubkey,
    createHash('sha256').update(url).digest('hex'),
    NOW,
    endpoint !== 'failing',
    new URL(url).host,
  )
  return { id, pubkey, url }
}

const createAgents = (count: number, due: number): Promise<Agent[]> =>
  Promise.all(Array.from({ length: count }, () => createAgent(due)))

const deliveriesOf = (...agents: Agent[]) =>
  query(
    `select event_id, status, attempts, lease is not null as leased, last_response_code as code, next_attempt_at
      from deliveries where endpoint_id = any($1)`,
    agents.map(({ id }) => id),
  )
const endpointOf = async ({ pubkey }: Agent) =>
  (await query('select is_healthy, failing_since from webhook_targets where wallet = $1', pubkey))[0]

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const { WEBHOOK_SECRETS_KEY } = generateSecretsKey()
/** What the stopwatch shows. */
let elapsedMs = 0
let recording = recordedNotifications(NOW)
const depsAt = (now: Date): DeliverDeps => ({
  get db() {
    return db
  },
  clock: () => now,
  elapsed: () => elapsedMs,
  random: () => 0,
  signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
  secretKeys: () => importSecretKeys(WEBHOOK_SECRETS_KEY),
  trustedHosts: new Set(),
  apiHost: 'api.agentcred.example',
  enqueue: (ids) => recording.deps.enqueue(ids),
  schedule: (...due) => recording.deps.schedule(...due),
  leases: {
    begin: (...begun) => recording.deps.leases.begin(...begun),
    end: (id) => recording.deps.leases.end(id),
  },
})
const deps = depsAt(NOW)
const idsOf = (agents: Agent[]) => agents.map(({ id }) => id)

/** The URLs that received a request, and the number of statements. Endpoints answer as set, or 204. */
let sent: string[] = []
let statements = 0
let isDown = false
let answers = new Map<string, () => Response | Promise<Response>>()
/** How long a batch waits for endpoints that do not answer: here until a test says so. */
const PATIENCE_MS = 2_000
let losePatience = () => {}
beforeEach(() => {
  sent = []
  recording = recordedNotifications(NOW)
  statements = 0
  isDown = false
  answers = new Map()
  elapsedMs = 0
  const realTimeout = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...args: []) => {
    if (ms !== PATIENCE_MS) return realTimeout(run, ms, ...args)
    losePatience = run
    return 0
  }) as typeof setTimeout)
  const realFetch = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input)
    if (!url.endsWith('.example.com/')) {
      statements += 1
      return isDown ? new Response(null, { status: 502 }) : realFetch(input, init)
    }
    sent.push(url)
    return (await answers.get(url)?.()) ?? new Response(null, { status: 204 })
  })
})
afterEach(() => vi.restoreAllMocks())

describe('a batch', () => {
  it('has due deliveries of healthy endpoints, and names the other endpoints', async () => {
    const [busy, quiet, idle] = [await createAgent(9), await createAgent(2), await createAgent(0)]
    const [failing, fresh] = [await createAgent(3, 'failing'), await createAgent(3, 'new')]
    const disabled = await createAgent(3, 'disabled')
    const agents = [busy, quiet, idle, failing, fresh, disabled]
    statements = 0
    const { batch, others } = await leaseBatch(deps, idsOf(agents))
    expect(statements).toBe(1)
    const count = ({ id }: Agent) => batch.deliveries.filter(({ endpoint }) => endpoint.id === id).length
    expect(agents.map(count)).toEqual([5, 2, 0, 0, 0, 0])
    const ids = others.map(({ destination }) => destination.endpointId)
    expect(ids.toSorted()).toEqual(idsOf([failing, fresh]).toSorted())
  })

  it('has one of each endpoint first, so a hanging one takes one of five connections', async () => {
    const agents = await createAgents(4, 3)
    const { batch } = await leaseBatch(deps, idsOf(agents))
    for (let round = 0; round < 3; round++) {
      const ids = batch.deliveries.slice(round * 4, round * 4 + 4).map(({ endpoint }) => endpoint.id)
      expect(ids.toSorted()).toEqual(idsOf(agents).toSorted())
    }
  })

  it('is nobody else’s: parallel ones have different deliveries, until the lease ends', async () => {
    const agents = await createAgents(12, 5)
    const leaseAll = async (now: Date) => {
      const leased = await Promise.all(
        Array.from({ length: 8 }, () => leaseBatch(depsAt(now), idsOf(agents))),
      )
      return leased.flatMap(({ batch }) => batch.deliveries.map(({ id }) => id))
    }
    const first = await leaseAll(NOW)
    first.push(...(await leaseAll(NOW)))
    expect([first.length, new Set(first).size]).toEqual([60, 60])
    expect(await leaseAll(later(50_000))).toEqual([])
    expect(new Set(await leaseAll(later(60_000)))).toEqual(new Set(first))
  })

  it('is sent and recorded in far fewer statements than it has deliveries', async () => {
    const agents = await createAgents(10, 5)
    statements = 0
    const { batch, others } = await leaseBatch(deps, idsOf(agents))
    expect([batch.deliveries.length, others, statements]).toEqual([50, [], 1])
    expect(await deliverBatch(deps, batch)).toEqual({ delivered: 50, failed: 0, left: 0 })
    // The number of outcomes recorded together depends on the speed of the machine.
    expect(statements).toBeLessThan(50)
    expect(sent).toHaveLength(50)
    for (const row of await deliveriesOf(...agents)) {
      expect(row).toMatchObject({ status: 'delivered', attempts: 1, leased: false, code: 204 })
      expect(row.next_attempt_at).toBeNull()
    }
    // As many as can be were leased of each: there may be more.
    expect(new Set(recording.toNotify)).toEqual(new Set(idsOf(agents)))
  })

  it('returns the rest of an endpoint that fails, and marks it unhealthy', async () => {
    const [bad, good] = [await createAgent(5), await createAgent(5)]
    // One after the other, so that the first answer comes before the last is sent.
    answers.set(bad.url, () => new Response(null, { status: 500 }))
    const { batch } = await leaseBatch(deps, idsOf([bad, good]))
    const { delivered, failed, left } = await deliverBatch(deps, batch)
    expect([delivered, failed + left]).toEqual([5, 5])
    expect(left).toBeGreaterThan(0)
    expect(sent.filter((url) => url === bad.url)).toHaveLength(failed)
    expect(await endpointOf(bad)).toEqual({ is_healthy: false, failing_since: NOW })
    expect(await endpointOf(good)).toEqual({ is_healthy: true, failing_since: null })
    const rows = await deliveriesOf(bad)
    expect(rows.filter(({ attempts, code }) => attempts === 1 && code === 500)).toHaveLength(failed)
    const unsent = rows.filter(({ attempts }) => attempts === 0)
    expect(unsent).toHaveLength(left)
    for (const row of unsent)
      expect(row).toMatchObject({ status: 'pending', leased: false, next_attempt_at: NOW })
    // All five were leased by tokens of its wallet.
    const bucket = `proven ${bad.pubkey} ${new URL(bad.url).host}`
    expect(await query('select full_at from webhook_buckets where name = $1', bucket)).toEqual([
      { full_at: later(500) },
    ])
    expect(recording.toNotify).toContain(bad.id)
    // It is left alone for a while, and then to a run of its own.
    const none = await leaseBatch(deps, idsOf([bad, good]))
    expect([none.batch.deliveries, none.others]).toEqual([[], []])
    expect(recording.later).toContainEqual({ inMs: 6_000, toleranceMs: 0 })
    const next = await leaseBatch(depsAt(later(6_000)), idsOf([bad, good]))
    const probe = { destination: await dueDestinationOf(bad), delayMs: 1_000 }
    expect([next.batch.deliveries, next.others]).toEqual([[], [probe]])
  })

  it('has a 410 disable the webhook', async () => {
    const gone = await createAgent(1)
    answers.set(gone.url, () => new Response(null, { status: 410 }))
    const { batch } = await leaseBatch(deps, [gone.id])
    await deliverBatch(deps, batch)
    expect(await query('select webhook_disabled_at from agents where id = $1', gone.id)).toEqual([
      { webhook_disabled_at: NOW },
    ])
    const { batch: next, others } = await leaseBatch(depsAt(later(90_000)), [gone.id])
    expect([next.deliveries, others]).toEqual([[], []])
  })

  it('waits for no endpoint that has stopped to answer: the rest is due again at once', async () => {
    const dead = await createAgents(6, 1)
    const waiting = await createAgents(3, 2)
    let release = () => {}
    const never = new Promise<void>((resolve) => {
      release = resolve
    })
    for (const { url } of dead) answers.set(url, () => never.then(() => new Response(null, { status: 200 })))
    const { batch } = await leaseBatch(deps, idsOf([...dead, ...waiting]))
    // The dead ones first.
    batch.deliveries.sort((a, b) => Number(answers.has(b.endpoint.url)) - Number(answers.has(a.endpoint.url)))
    const run = deliverBatch(deps, batch)
    await vi.waitFor(() => expect(sent).toHaveLength(5), { timeout: 180_000 })
    losePatience()
    await vi.waitFor(
      async () =>
        expect((await deliveriesOf(...waiting)).map(({ leased }) => leased)).toEqual(Array(6).fill(false)),
      { timeout: 180_000 },
    )
    expect(sent).toHaveLength(5)
    // Endpoints that have not answered are in no batch until they answer: they would delay the next batch,
    // too.
    const hanging = dead.filter(({ url }) => sent.includes(url))
    for (const agent of hanging)
      expect(await endpointOf(agent)).toEqual({ is_healthy: false, failing_since: null })
    for (const agent of waiting) expect((await endpointOf(agent))?.is_healthy).toBe(true)
    const { batch: next } = await leaseBatch(deps, idsOf(waiting))
    expect(await deliverBatch(deps, next)).toEqual({ delivered: 6, failed: 0, left: 0 })
    release()
    expect(await run).toEqual({ delivered: 5, failed: 0, left: 7 })
    expect(new Set(recording.toNotify)).toEqual(
      new Set(idsOf([...waiting, ...dead.filter(({ url }) => !sent.includes(url))])),
    )
  })

  it('begins nothing that could outlive its run or its lease', async () => {
    const agents = await createAgents(2, 2)
    const { batch } = await leaseBatch(deps, idsOf(agents))
    expect(await deliverBatch(depsAt(later(10_001)), batch)).toEqual({ delivered: 0, failed: 0, left: 4 })
    expect(sent).toEqual([])
    const { batch: again } = await leaseBatch(depsAt(later(20_000)), idsOf(agents))
    expect([...recording.open.values()]).toEqual([later(80_000)])
    expect(await deliverBatch(depsAt(later(30_000)), again)).toEqual({ delivered: 4, failed: 0, left: 0 })
    expect([...recording.open]).toEqual([])
  })

  it('goes on when a result can not be recorded; that is due when the lease ends', async () => {
    const agents = await createAgents(2, 3)
    const { batch } = await leaseBatch(deps, idsOf(agents))
    isDown = true
    await expect(deliverBatch(deps, batch)).rejects.toThrow()
    isDown = false
    expect(sent).toHaveLength(6)
    for (const row of await deliveriesOf(...agents))
      expect(row).toMatchObject({ status: 'pending', leased: true })
    const { batch: again } = await leaseBatch(depsAt(later(60_000)), idsOf(agents))
    expect(again.deliveries).toHaveLength(6)
  })
})

describe('a leased delivery', () => {
  const lease = async ({ id, pubkey, url }: Agent, now: Date) => {
    const { batch } = await leaseBatch(depsAt(now), [id])
    const results = batch.deliveries.map((delivery) => resultOf({ id, wallet: pubkey, url }, delivery.id))
    return { lease: batch.lease, leasedAt: now, results, isShared: true }
  }
  const record = (leased: Awaited<ReturnType<typeof lease>>) =>
    postgres.recordAttempts.rows(db, { ...recordRules(NOW), ...leased })

  it('is reported by the lease’s holder alone', async () => {
    const agent = await createAgent(3)
    const lost = await lease(agent, NOW)
    const held = await lease(agent, later(60_000))
    await record(lost)
    expect((await deliveriesOf(agent)).map(({ status }) => status)).toEqual(Array(3).fill('pending'))
    await Promise.all([record(held), record(held)])
    expect((await deliveriesOf(agent)).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  it('ends the time of failure that another run has started meanwhile', async () => {
    const agent = await createAgent(1)
    const leased = await lease(agent, NOW)
    await query(
      'update webhook_targets set is_healthy = false, failing_since = $2 where wallet = $1',
      agent.pubkey,
      NOW,
    )
    expect(await record(leased)).toEqual([])
    expect(await endpointOf(agent)).toEqual({ is_healthy: false, failing_since: null })
  })
})
