import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { recoverDeliveries } from '../../lib/events/endpoints/recover.ts'
import { recoverFailed } from '../../lib/events/endpoints/recover-queries.ts'
import { deleteEndpoint } from '../../lib/events/endpoints/remove-queries.ts'
import { importSecretKeys, makeSecret } from '../../lib/events/secrets/secrets.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueDestinationOf } from '../../lib/events/sending/destinations.ts'
import { leaseBatch, leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { deliver, deliverBatch } from '../../lib/events/sending/run.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { sweepDeliveries } from '../../lib/events/sending/sweep.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../lib/quotas/rules.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { deaf, recordedNotifications } from '../support/leases.ts'
import { whileLocked } from '../support/locks.ts'
import { insertAgent, newWallet, storeAgent } from '../support/stored-agents.ts'
import { askForTest, insertEndpoint, type NewEndpoint, updateEndpoint } from '../support/stored-endpoints.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const later = (ms: number) => new Date(NOW.getTime() + ms)

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

const count = async (text: string, ...params: unknown[]) =>
  Number((await query(`select count(*) from ${text}`, ...params))[0].count)

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const { WEBHOOK_SECRETS_KEY } = generateSecretsKey()
const secretKeys = () => importSecretKeys(WEBHOOK_SECRETS_KEY)

const depsAt = (now: Date): DeliverDeps => ({
  db,
  clock: () => now,
  elapsed: () => 0,
  random: () => 0,
  signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
  secretKeys,
  trustedHosts: new Set(),
  apiHost: 'api.agentcred.example',
  ...deaf,
})

/** The URLs that received a request, and the number of statements. Each endpoint answers as set, or 204. */
let sent: string[] = []
let statements = 0
let answers = new Map<string, () => Response | Promise<Response>>()
beforeEach(async () => {
  await query('truncate webhook_buckets')
  sent = []
  statements = 0
  answers = new Map()
  const realFetch = globalThis.fetch
  const mocked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input)
    if (!url.includes('.example.com')) {
      statements += 1
      return realFetch(input, init)
    }
    sent.push(url)
    return (await answers.get(url)?.()) ?? new Response(null, { status: url.includes('victim') ? 500 : 204 })
  })
  return () => mocked.mockRestore()
})

async function create(wallet: Wallet, changes: Partial<NewEndpoint> = {}, addressHash?: string) {
  const id = crypto.randomUUID()
  const { encrypted } = await makeSecret(await secretKeys(), id)
  const url = `https://${id}.example.com/`
  const endpoint = { id, wallet, url, eventTypes: [], agentIds: [], secret: encrypted, now: NOW, ...changes }
  return insertEndpoint(db, endpoint, addressHash)
}

async function created(wallet: Wallet, changes: Parameters<typeof create>[1] = {}) {
  const { endpoint } = await create(wallet, changes)
  if (!endpoint) throw new Error('the wallet has its most endpoints')
  return endpoint
}

const hire = (agentId: string, wallet: Wallet) =>
  tryToHire(db, {
    id: crypto.randomUUID(),
    wallet,
    agentId,
    autoRenew: false,
    termDays: 1,
    now: NOW,
  })

describe('a wallet has ten endpoints', () => {
  it('in a race of any number, and each deleted one no longer counts', async () => {
    const wallet = newWallet()
    const made = (await Promise.all(Array.from({ length: 40 }, () => create(wallet)))).flatMap(
      ({ endpoint }) => endpoint ?? [],
    )
    expect(made).toHaveLength(WEBHOOK_ENDPOINTS_PER_WALLET)
    const { id = '' } = made[0] ?? {}
    const removals = await Promise.all(
      Array.from({ length: 5 }, () => deleteEndpoint(db, { id, wallet, now: NOW, limit: 10 })),
    )
    expect(removals.filter(({ endpoint }) => endpoint)).toHaveLength(1)
    const again = await Promise.all(Array.from({ length: 5 }, () => create(wallet)))
    expect(again.filter(({ endpoint }) => endpoint)).toHaveLength(1)
    expect(await count('endpoints where wallet = $1', wallet)).toBe(WEBHOOK_ENDPOINTS_PER_WALLET)
  })

  it('and one that is refused for an agent of others does not count', async () => {
    const wallet = newWallet()
    const { id } = await storeAgent(db, newWallet(), NOW)
    for (let n = 0; n < WEBHOOK_ENDPOINTS_PER_WALLET + 1; n++)
      expect(await create(wallet, { agentIds: [id] })).toEqual({ unowned: [id], endpoint: undefined })
    expect((await create(wallet)).endpoint).toBeDefined()
  })

  it('and more that it asks for do not count against its address', async () => {
    const wallet = newWallet()
    for (let n = 0; n < WEBHOOK_ENDPOINTS_PER_WALLET; n++) await created(wallet)
    const addressHash = crypto.randomUUID()
    expect((await create(wallet, {}, addressHash)).endpoint).toBeUndefined()
    expect((await create(newWallet(), {}, addressHash)).endpoint).toBeDefined()
  })
})

describe('an event', () => {
  it('goes once to every endpoint of both sides that listens, in one statement', async () => {
    const [owner, hirer] = [newWallet(), newWallet()]
    const url = 'https://hooks.example.com/'
    const agent = await insertAgent(db, {
      id: crypto.randomUUID(),
      pubkey: owner,
      name: 'Agent',
      agentType: 'autonomous',
      supportedLayers: [1],
      feeModel: 'flat',
      feeAmount: 1n,
      webhookUrl: url,
      registeredAt: NOW,
    })
    const all = await Promise.all(
      [owner, hirer].flatMap((wallet) => Array.from({ length: 10 }, () => created(wallet))),
    )
    const hired = await hire(agent.id, hirer)
    expect(new Set(hired.toNotify)).toEqual(new Set([agent.id, ...all.map(({ id }) => id)]))
    // No event goes to more endpoints: a hirer of a busy agent adds at most its own ten.
    expect(hired.toNotify).toHaveLength(21)
    expect(await count('deliveries where endpoint_id = any($1)', hired.toNotify)).toBe(22)
    // A wallet that hires its own agent has one log, and gets one delivery for each endpoint.
    const own = await hire(agent.id, owner)
    expect(own.toNotify).toHaveLength(11)
  })

  it('goes to endpoints that listen to its type and agent', async () => {
    const owner = newWallet()
    const [first, second] = [await storeAgent(db, owner, NOW), await storeAgent(db, owner, NOW)]
    const listeners = {
      all: await created(owner),
      type: await created(owner, { eventTypes: ['hire.created'] }),
      otherType: await created(owner, { eventTypes: ['hire.terminated', 'agent.registered'] }),
      agent: await created(owner, { agentIds: [first.id] }),
      otherAgent: await created(owner, { agentIds: [second.id] }),
      both: await created(owner, { eventTypes: ['hire.created'], agentIds: [second.id, first.id] }),
    }
    const hired = await hire(first.id, newWallet())
    const heard = Object.entries(listeners).flatMap(([name, { id }]) =>
      hired.toNotify.includes(id) ? [name] : [],
    )
    expect(heard).toEqual(['all', 'type', 'agent', 'both'])
  })

  it('notifies the sockets of both sides that listen now, and of nobody else', async () => {
    const [owner, hirer, stranger, former] = [newWallet(), newWallet(), newWallet(), newWallet()]
    const agent = await storeAgent(db, owner, NOW)
    const listen = (wallet: Wallet, until: Date) =>
      query(
        `insert into wallets (address, first_login_at, last_login_at, listens_until) values ($1, $2, $2, $3)
          on conflict (address) do update set listens_until = $3`,
        ...[wallet, NOW, until],
      )
    for (const wallet of [owner, hirer, stranger]) await listen(wallet, later(MINUTE))
    await listen(former, NOW)
    expect(new Set((await hire(agent.id, hirer)).toNotify)).toEqual(new Set([owner, hirer]))
    expect((await hire(agent.id, former)).toNotify).toEqual([owner])
  })

  it('that is a test is made once in a race, and goes to one endpoint', async () => {
    const wallet = newWallet()
    const [one, other] = [await created(wallet), await created(wallet)]
    const ask = (id: string) =>
      askForTest(db, {
        endpointId: id,
        wallet,
        testedBefore: later(-10_000),
        now: NOW,
      })
    const asked = await Promise.all([one, other, one, other, one].map(({ id }) => ask(id)))
    expect(asked.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1)
    expect(await count('deliveries where wallet = $1', wallet)).toBe(1)
    expect(await count('events where wallet = $1', wallet)).toBe(1)
  })

  it('that is a test is made again after the interval; an earlier one counts for no address', async () => {
    const wallet = newWallet()
    const { id } = await created(wallet)
    const counted = { addressHash: crypto.randomUUID(), webhooksPerAddress: 2 }
    const ask = (testedBefore: Date, now: Date) =>
      postgres.testWebhookEndpoint.call(db, { endpointId: id, wallet, testedBefore, now, ...counted })
    expect(await ask(later(-10_000), NOW)).toMatchObject({ outcome: 'sent' })
    expect(await ask(later(-1), later(9_999))).toMatchObject({ outcome: 'tested_too_soon' })
    expect(await ask(NOW, later(10_000))).toMatchObject({ outcome: 'sent' })
  })
})

/** A run for one endpoint alone; undefined if it has leased nothing. */
async function run(endpoint: { id: string; url: string }, now: Date) {
  const leased = await leaseDeliveries(depsAt(now), await dueDestinationOf(endpoint))
  return leased && deliver(depsAt(now), leased)
}

describe('ten thousand endpoints of a thousand unpaid wallets at one host', () => {
  it('send it no more than its buckets allow, and each of them one in five minutes', async () => {
    await query(
      `insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
        select gen_random_uuid(), 'mob ' || n % 1000, 'https://victim.example.com/' || n, '{}', '{}', $1, $1, ''
        from generate_series(1, 10000) as n`,
      NOW,
    )
    await query(
      `with event as (
          insert into events (id, type, occurred_at, recorded_at, wallet, data)
          select gen_random_uuid(), 'endpoint.test', $1, $1, wallet, '{}' from endpoints where wallet like 'mob %'
            and id in (select id from endpoints where wallet like 'mob %')
          returning id, wallet)
        insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
        select endpoints.id, event.id, endpoints.wallet, $1, $1
        from (select *, row_number() over (partition by wallet order by id) as n from endpoints) as endpoints
        join (select *, row_number() over (partition by wallet order by id) as n from event) as event using (wallet, n)`,
      NOW,
    )
    // A secret that does not open would not be sent at all.
    const key = await secretKeys()
    const victims = await query(
      `select id, url from endpoints where wallet like 'mob %' order by id limit 100`,
    )
    for (const { id } of victims) {
      const { encrypted } = await makeSecret(key, id)
      await query('update endpoints set secret = $2 where id = $1', id, encrypted)
    }
    const runAll = async (now: Date) => {
      const before = sent.length
      for (let i = 0; i < victims.length; i += 20) {
        await Promise.all(victims.slice(i, i + 20).map(({ id, url }) => run({ id, url }, now)))
      }
      return sent.length - before
    }
    expect(await runAll(NOW)).toBe(30)
    expect(await runAll(later(30_000))).toBe(15)
    // Endpoints that wait for tokens have used no attempt: each has a first attempt before any has a second.
    const perMinute = []
    for (let minute = 1; minute <= 4; minute++) perMinute.push(await runAll(later(minute * MINUTE)))
    expect(perMinute).toEqual([15, 30, 10, 0])
    const each = Map.groupBy(sent, (url) => url)
    expect([...each.values()].map(({ length }) => length)).toEqual(Array(100).fill(1))
    expect(await runAll(later(5 * MINUTE))).toBe(30)
  })
})

/** Endpoints of a wallet at a host, any number of them, each with one delivery that is due. */
async function crowd(wallet: string, host: string, size: number) {
  const { encrypted } = await makeSecret(await secretKeys(), NO_ID)
  const rows = await query(
    `with event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      values (gen_random_uuid(), 'agent.registered', $1, $1, $2, '{}') returning id),
    endpoint as (
      insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
      select gen_random_uuid(), $2, 'https://' || $3 || '/' || $2 || n, '{}', '{}', $1, $1, $5
      from generate_series(1, $4::int) as n returning id, url),
    delivery as (
      insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
      select endpoint.id, event.id, $2, $1, $1 from endpoint, event)
    select id, url from endpoint`,
    ...[NOW, wallet, host, size, encrypted],
  )
  return rows as { id: string; url: string }[]
}
const NO_ID = '00000000-0000-0000-0000-000000000000'

describe('at a host where one wallet has 200 endpoints that answer 404', () => {
  it('each is asked for a proof in order, and new ones at once if they have paid', async () => {
    const host = `${crypto.randomUUID()}.example.com`
    const hog = await crowd('hog', host, 200)
    const notFound = () => new Response(null, { status: 404 })
    let clock = NOW
    const due = new Map<string, { endpoint: { id: string; url: string }; at: Date }>()
    const enqueue = (endpoint: { id: string; url: string }, at = clock) =>
      due.set(endpoint.id, { endpoint, at })
    /** Runs for the endpoints that are due, as the queue does, until a time. */
    const runUntil = async (end: Date) => {
      const attempts = sent.length
      for (; clock < end; clock = new Date(clock.getTime() + 10_000)) {
        const ready = [...due.values()].filter(({ at }) => at <= clock)
        for (const { endpoint } of ready) {
          due.delete(endpoint.id)
          const deps: DeliverDeps = {
            ...depsAt(clock),
            secretKeys: async () => ({ ...(await secretKeys()), open: async () => new Uint8Array(24) }),
            schedule: (_job, at) => {
              if (!due.has(endpoint.id)) enqueue(endpoint, at)
            },
          }
          const leased = await leaseDeliveries(deps, await dueDestinationOf(endpoint))
          if (leased) await deliver(deps, leased)
        }
      }
      return sent.length - attempts
    }
    for (const endpoint of hog) enqueue(endpoint)
    for (const { url } of hog) answers.set(url, notFound)
    expect(await runUntil(later(10_000))).toBe(30)
    const [newcomer] = await crowd('newcomer', host, 1)
    const [paying] = await crowd('paying', host, 1)
    await query(`insert into standings (wallet, paid_weight) values ('paying', 1)`)
    for (const endpoint of [newcomer, paying]) if (endpoint) enqueue(endpoint)
    expect(await runUntil(later(20_000))).toBe(5 + 1)
    expect(sent).toContain(paying?.url)
    const perMinute = []
    for (let minute = 1; minute <= 5; minute++) perMinute.push(await runUntil(later(minute * MINUTE)))
    expect(perMinute).toEqual([20, 30, 30, 30, 30])
    // None was asked twice before the newcomer was asked once.
    expect(new Set(sent).size).toBe(sent.length)
    await runUntil(later(6 * MINUTE))
    expect(sent).toContain(newcomer?.url)
  })
})

describe('limits of events', () => {
  let recording = recordedNotifications(NOW)
  const watched = (now: Date, trusted: string[] = []): DeliverDeps => ({
    ...depsAt(now),
    trustedHosts: new Set(trusted),
    ...recording.deps,
  })
  const hostIn = (url: string) => new URL(url).host
  beforeEach(() => {
    recording = recordedNotifications(NOW)
  })

  it('a wallet sends a host as many events as its bucket has tokens, from any URLs', async () => {
    const { id, url, wallet } = await known({ isHealthy: true })
    await addDue([{ id }], 5)
    const bucket = `proven ${wallet} ${hostIn(url)}`
    const fullAt = later(59_600)
    await query('insert into webhook_buckets (name, full_at) values ($1, $2)', bucket, fullAt)
    const { batch, others } = await leaseBatch(watched(NOW), [id])
    expect([batch.deliveries, others]).toEqual([[], []])
    expect(recording.later).toEqual([{ inMs: MINUTE, toleranceMs: 0 }])
    expect((await leaseBatch(watched(later(MINUTE)), [id])).batch.deliveries).toHaveLength(5)
    expect(await query('select full_at from webhook_buckets where name = $1', bucket)).toEqual([
      { full_at: later(MINUTE + 500) },
    ])
  })

  it('an unconfirmed URL gets 30 events, and then four an hour', async () => {
    const wallet = newWallet()
    const { id, url } = await created(wallet)
    await askForTest(db, { endpointId: id, wallet, testedBefore: NOW, now: NOW })
    await addDue([{ id }], 40)
    const serve = async (now: Date) => {
      const leased = await leaseDeliveries(watched(now), await dueDestinationOf({ id, url }))
      return leased && deliver(watched(now), leased)
    }
    expect(await serve(NOW)).toEqual({ delivered: 0, failed: 0 })
    for (let n = 0; n < 30; n++) expect(await serve(NOW)).toEqual({ delivered: 1, failed: 0 })
    expect(await serve(NOW)).toBeUndefined()
    // It is not worth a wake of the database.
    expect(recording.later.at(-1)).toMatchObject({
      inMs: 15 * MINUTE,
      toleranceMs: expect.toSatisfy((ms) => ms > MINUTE),
    })
    expect(await serve(later(15 * MINUTE - 2_000))).toBeUndefined()
    for (let n = 1; n <= 3; n++) {
      expect(await serve(later(n * 15 * MINUTE))).toEqual({ delivered: 1, failed: 0 })
      expect(await serve(later(n * 15 * MINUTE))).toBeUndefined()
    }
    expect(sent).toHaveLength(34)
  })

  it('all URLs of a trusted host share a bucket, in runs of their own', async () => {
    const wallet = newWallet()
    const { id, url } = await created(wallet)
    const host = hostIn(url)
    await askForTest(db, { endpointId: id, wallet, testedBefore: NOW, now: NOW })
    const serve = async (now: Date) => {
      const deps = watched(now, [host])
      const leased = await leaseDeliveries(deps, await dueDestinationOf({ id, url }))
      return leased && deliver(deps, leased)
    }
    expect(await serve(NOW)).toEqual({ delivered: 1, failed: 0 })
    await addDue([{ id }], 5)
    // Proven, but in no batch, which would not count it.
    const { batch, others } = await leaseBatch(watched(NOW, [host]), [id])
    expect([batch.deliveries.length, others.length]).toEqual([0, 1])
    const fullAt = later(MINUTE + 598 * 6_000)
    await query('update webhook_buckets set full_at = $2 where name = $1', `trusted ${host}`, fullAt)
    recording = recordedNotifications(NOW)
    expect(await serve(later(MINUTE))).toBeUndefined()
    expect(recording.later).toEqual([{ inMs: MINUTE + 18_000, toleranceMs: 0 }])
    expect([...recording.open]).toEqual([])
    expect(await serve(later(MINUTE + 18_000))).toEqual({ delivered: 5, failed: 0 })
  })
})

/** An endpoint of a wallet of its own that has answered before, with one delivery that is due. */
async function known({ isHealthy }: { isHealthy: boolean }) {
  const wallet = newWallet()
  const { id, url } = await created(wallet)
  await query(
    `insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, failing_since, last_attempt_at)
      values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), split_part($2, '/', 3), $3, $4, case when $4 then null else $3::timestamptz end, $3)`,
    wallet,
    url,
    NOW,
    isHealthy,
  )
  await askForTest(db, { endpointId: id, wallet, testedBefore: NOW, now: NOW })
  return { id, url, wallet }
}

/** Enqueues so many more events for each of these endpoints, each of a wallet of its own. */
const addDue = (endpoints: { id: string }[], each: number) =>
  query(
    `with event as (
        insert into events (id, type, occurred_at, recorded_at, wallet, data)
        select gen_random_uuid(), 'agent.registered', $1, $1, wallet, '{}' from endpoints, generate_series(1, $3)
        where endpoints.id = any($2) returning id, wallet)
      insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
      select endpoints.id, event.id, endpoints.wallet, $1, $1 from event
      join endpoints on endpoints.wallet = event.wallet and endpoints.id = any($2)`,
    NOW,
    endpoints.map(({ id }) => id),
    each,
  )

const fails = () => new Response(null, { status: 503 })

describe('of a hundred endpoints ninety are dead', () => {
  it('and cost the others nothing: one attempt each, later, after any messages', async () => {
    const endpoints = await Promise.all(
      Array.from({ length: 100 }, (_, n) => known({ isHealthy: n % 10 === 0 })),
    )
    await addDue(endpoints, 5)
    const live = endpoints.filter((_, n) => n % 10 === 0)
    const dead = endpoints.filter((_, n) => n % 10 !== 0)
    for (const { url } of dead) answers.set(url, fails)
    const leaseAll = async (now: Date) => {
      const leased = []
      for (let n = 0; n < 100; n += 10) {
        const ids = endpoints.slice(n, n + 10).map(({ id }) => id)
        leased.push(await leaseBatch(depsAt(now), ids))
      }
      return { batches: leased.map(({ batch }) => batch), runs: leased.flatMap(({ others }) => others) }
    }
    statements = 0
    const { batches, runs } = await leaseAll(NOW)
    expect(statements).toBe(10)
    for (const batch of batches) {
      expect(await deliverBatch(depsAt(NOW), batch)).toEqual({ delivered: 5, failed: 0, left: 0 })
    }
    expect(new Set(sent)).toEqual(new Set(live.map(({ url }) => url)))
    expect(runs).toHaveLength(90)
    expect(new Set(runs.map(({ delayMs }) => delayMs))).toEqual(new Set([1_000]))
    sent = []
    statements = 0
    // Each by two messages at once: two statements, of which one leases, and one that records.
    for (let n = 0; n < dead.length; n += 15) {
      const some = dead.slice(n, n + 15)
      await Promise.all([...some, ...some].map((endpoint) => run(endpoint, NOW)))
    }
    expect(sent.toSorted()).toEqual(dead.map(({ url }) => url).toSorted())
    expect(statements).toBe(dead.length * 3)
    // In the pause after that they cost no run at all.
    statements = 0
    expect((await leaseAll(later(4_000))).runs).toEqual([])
    expect(statements).toBe(10)
    expect((await leaseAll(later(6_000))).runs).toHaveLength(90)
  })

  it('and one that answers 2xx late is in no batch until it has answered quickly', async () => {
    const { id, url } = await known({ isHealthy: true })
    let clock = 0
    const slow = { ...depsAt(NOW), elapsed: () => (clock += 6_000) }
    const { batch } = await leaseBatch(slow, [id])
    expect(await deliverBatch(slow, batch)).toEqual({ delivered: 1, failed: 0, left: 0 })
    expect(
      await query('select duration_ms, response_code from delivery_attempts where endpoint_id = $1', id),
    ).toEqual([{ duration_ms: 6_000, response_code: 204 }])
    await query(
      `update deliveries set status = 'pending', next_attempt_at = $2 where endpoint_id = $1`,
      id,
      NOW,
    )
    const next = await leaseBatch(depsAt(NOW), [id])
    expect([next.batch.deliveries, next.others]).toEqual([
      [],
      [{ destination: await dueDestinationOf({ id, url }), delayMs: 0 }],
    ])
    await run({ id, url }, later(1))
    await query(
      `update deliveries set status = 'pending', next_attempt_at = $2 where endpoint_id = $1`,
      id,
      NOW,
    )
    expect((await leaseBatch(depsAt(later(2)), [id])).batch.deliveries).toHaveLength(1)
  })
})

describe('an endpoint that fails', () => {
  it('gets one attempt at a time; each event is tried, and none displaces another', async () => {
    const endpoint = await known({ isHealthy: false })
    await addDue([endpoint], 4)
    answers.set(endpoint.url, fails)
    for (let n = 0; n < 6; n++) {
      const now = later(n * 6_000)
      const runs = await Promise.all(Array.from({ length: 8 }, () => run(endpoint, now)))
      expect(runs.filter((outcome) => outcome)).toEqual([{ delivered: 0, failed: 1 }])
      expect(sent).toHaveLength(n + 1)
      expect(await run(endpoint, new Date(now.getTime() + 4_000))).toBeUndefined()
    }
    const attempts = await query(
      'select attempts from deliveries where endpoint_id = $1 order by attempts',
      endpoint.id,
    )
    expect(attempts.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 2])
  })

  it('and whose attempt was cut off is attempted again when the lease has ended', async () => {
    const endpoint = await known({ isHealthy: false })
    await addDue([endpoint], 1)
    const destination = await dueDestinationOf(endpoint)
    expect((await leaseDeliveries(depsAt(NOW), destination))?.deliveries).toHaveLength(1)
    expect(await run(endpoint, later(58_000))).toBeUndefined()
    expect(await run(endpoint, later(60_000))).toEqual({ delivered: 1, failed: 0 })
  })

  it('gets all waiting deliveries of its owner’s endpoints when it answers again', async () => {
    const first = await known({ isHealthy: false })
    const same = await created(first.wallet, { url: first.url })
    const other = await created(first.wallet)
    await addDue([same, other], 3)
    const { toNotify, deps: jobs } = recordedNotifications(NOW)
    const deps = { ...depsAt(NOW), ...jobs }
    const leased = await leaseDeliveries(deps, await dueDestinationOf(first))
    if (leased) await deliver(deps, leased)
    // All of its own is delivered.
    expect(toNotify).toEqual([same.id])
    const { batch } = await leaseBatch(deps, [first.id, same.id])
    expect(batch.deliveries).toHaveLength(5)
    expect(new Set(batch.deliveries.map(({ endpoint }) => endpoint.id))).toEqual(new Set([same.id]))
  })
})

describe('an endpoint that asks to be left alone (Retry-After)', () => {
  const asks = () => new Response(null, { status: 429, headers: { 'retry-after': '3600' } })

  it('is sent nothing of all that waits, until that time; then one', async () => {
    const endpoint = await known({ isHealthy: true })
    await addDue([endpoint], 49)
    answers.set(endpoint.url, asks)
    const { batch } = await leaseBatch(depsAt(NOW), [endpoint.id])
    await deliverBatch(depsAt(NOW), batch)
    const asked = sent.length
    expect(asked).toBeLessThanOrEqual(5)
    for (const now of [later(6_000), later(600_000), later(3_598_000)]) {
      const { batch, others } = await leaseBatch(depsAt(now), [endpoint.id])
      expect([batch.deliveries, others, await run(endpoint, now)]).toEqual([[], [], undefined])
    }
    await Promise.all(Array.from({ length: 4 }, () => run(endpoint, later(3_600_000))))
    expect(sent).toHaveLength(asked + 1)
  })

  it('in one of several answers is paused, too, and enqueued when that is over', async () => {
    const endpoint = await known({ isHealthy: true })
    await addDue([endpoint], 9)
    await query('update webhook_targets set is_healthy = false where wallet = $1', endpoint.wallet)
    let count = 0
    answers.set(endpoint.url, () => (++count === 3 ? asks() : new Response(null, { status: 204 })))
    const { toNotify, later: dueLater, deps: jobs } = recordedNotifications(NOW)
    const deps = { ...depsAt(NOW), ...jobs }
    const leased = await leaseDeliveries(deps, await dueDestinationOf(endpoint))
    expect(leased && (await deliver(deps, leased))).toEqual({ delivered: 4, failed: 1 })
    expect(toNotify).toEqual([])
    expect(dueLater).toEqual([{ inMs: 3_600_000, toleranceMs: 60_000 }])
    expect(await run(endpoint, later(3_598_000))).toBeUndefined()
    expect(await run(endpoint, later(3_600_000))).toEqual({ delivered: 5, failed: 0 })
  })
})

describe('an endpoint that gets one event a week and fails', () => {
  it('is disabled by the first failure five days after the one since its last 2xx', async () => {
    const endpoint = await known({ isHealthy: true })
    const stateOf = async () =>
      (await query('select disabled_reason from endpoints where id = $1', endpoint.id))[0]?.disabled_reason
    answers.set(endpoint.url, fails)
    const fail = async (now: Date) => {
      await query('delete from deliveries where endpoint_id = $1', endpoint.id)
      await addDue([endpoint], 1)
      expect(await run(endpoint, now)).toEqual({ delivered: 0, failed: 1 })
    }
    await fail(NOW)
    await fail(later(5 * DAY - MINUTE))
    expect(await stateOf()).toBeNull()
    await fail(later(7 * DAY))
    expect(await stateOf()).toBe('failing')
  })
})

describe('a 410', () => {
  const stateOf = (id: string) =>
    query('select disabled_reason as reason from endpoints where id = $1', id).then(([row]) => row?.reason)

  it('disables the endpoint, and is published to its owner’s others', async () => {
    const { id, url, wallet } = await known({ isHealthy: false })
    const other = await created(wallet)
    answers.set(url, () => new Response(null, { status: 410 }))
    await run({ id, url }, NOW)
    expect(await stateOf(id)).toBe('gone')
    const published = await query(
      `select type, data from events join deliveries on event_id = events.id where endpoint_id = $1`,
      other.id,
    )
    expect(published).toMatchObject([
      { type: 'endpoint.disabled', data: { endpointId: id, host: new URL(url).host, reason: 'gone' } },
    ])
    expect(JSON.stringify(published)).not.toContain(new URL(url).pathname)
    await run({ id, url }, later(DAY))
    expect(sent).toHaveLength(1)
    await updateEndpoint(db, { id, wallet, now: later(DAY) }, { enabled: true })
    answers.delete(url)
    // The first shows that it answers again, the other follows.
    for (const delivered of [1, 2]) {
      await run({ id, url }, later(DAY))
      expect(await count(`deliveries where endpoint_id = $1 and status = 'delivered'`, id)).toBe(delivered)
    }
  })

  it('to what was sent before its owner enabled it, or set its URL, disables nothing', async () => {
    for (const change of [{ enabled: true }, { url: 'https://next.example.com/' }]) {
      const { id, url, wallet } = await known({ isHealthy: false })
      answers.set(url, async () => {
        await updateEndpoint(db, { id, wallet, now: later(1) }, change)
        return new Response(null, { status: 410 })
      })
      await run({ id, url }, NOW)
      expect(await stateOf(id)).toBeNull()
    }
  })
})

it('a run that was begun for another URL than an endpoint has now leases nothing', async () => {
  const { id, url, wallet } = await known({ isHealthy: false })
  await updateEndpoint(db, { id, wallet, now: NOW }, { url: 'https://next.example.com/' })
  expect(await run({ id, url }, NOW)).toBeUndefined()
  // Deliveries queued for the former URL were given up, and go to the new one when the owner recovers them.
  const next = { id, url: 'https://next.example.com/' }
  expect(await run(next, NOW)).toBeUndefined()
  expect(await recoverFailed(db, { id, wallet, since: NOW, now: NOW, limit: 10 })).toMatchObject({ count: 1 })
  await run(next, NOW)
  expect(sent).toEqual([next.url])
})

describe('recovery', () => {
  it('enqueues failed deliveries since a time once, oldest first, up to a limit', async () => {
    const wallet = newWallet()
    const { id } = await created(wallet)
    await query(
      `with event as (
          insert into events (id, type, occurred_at, recorded_at, wallet, data)
          select gen_random_uuid(), 'agent.registered', $1, $1, $2, '{}' from generate_series(1, 30) returning id)
        insert into deliveries (endpoint_id, event_id, wallet, status, attempts, created_at)
        select $3, id, $2, 'failed', 10, $1::timestamptz - interval '1 minute' * row_number() over () from event`,
      NOW,
      wallet,
      id,
    )
    const recover = (limit: number) =>
      recoverFailed(db, { id, wallet, since: later(-20 * MINUTE), now: later(1), limit })
    expect(await recover(5)).toEqual({ isLive: true, count: 5 })
    const rest = await Promise.all([recover(100), recover(100), recover(100)])
    expect(rest.reduce((sum, one) => sum + (one?.count ?? 0), 0)).toBe(15)
    expect(await count(`deliveries where endpoint_id = $1 and status = 'failed'`, id)).toBe(10)
    const stranger = newWallet()
    const asked = { id, wallet: stranger, since: NOW, now: NOW, limit: 1 }
    expect(await recoverFailed(db, asked)).toBeUndefined()
  })

  it('notifies the endpoint when something was enqueued, and otherwise nobody', async () => {
    const endpoint = await known({ isHealthy: false })
    await query(
      `update deliveries set status = 'failed', next_attempt_at = null where endpoint_id = $1`,
      endpoint.id,
    )
    const notify = vi.fn()
    const recover = () =>
      recoverDeliveries({ db, now: NOW, notify }, endpoint.wallet, { ...endpoint, since: NOW })
    expect(await recover()).toEqual({ recovered: 1, hasMore: false })
    expect(await recover()).toEqual({ recovered: 0, hasMore: false })
    expect(notify.mock.calls).toEqual([[[endpoint.id]]])
  })
})

it('the URL of an endpoint is proven by the challenge of its receiver, and by nothing else', async () => {
  const wallet = newWallet()
  const { id, url } = await created(wallet)
  await askForTest(db, { endpointId: id, wallet, testedBefore: NOW, now: NOW })
  await query(
    `insert into webhook_targets (wallet, url_hash, host, challenge, held_until, last_attempt_at)
      values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), 'hooks.example.com', 'the challenge', $3, $4)`,
    ...[wallet, url, later(DAY), NOW],
  )
  const confirm = (changes: { id?: string; wallet?: Wallet; challenge?: string } = {}) =>
    postgres.confirmWebhookEndpoint.call(db, { id, wallet, challenge: 'the challenge', now: NOW, ...changes })
  const unproven = { toNotify: [] }
  expect(await confirm({ challenge: 'another' })).toEqual({ outcome: 'wrong_challenge', ...unproven })
  expect(await confirm({ wallet: newWallet() })).toEqual({ outcome: 'endpoint_not_found', ...unproven })
  expect(await count('webhook_targets where wallet = $1 and proven_at is not null', wallet)).toBe(0)
  expect(await confirm()).toEqual({ outcome: 'confirmed', toNotify: [id] })
  expect(await count('webhook_targets where wallet = $1 and held_until is null', wallet)).toBe(1)
})

describe('setting an endpoint’s URL again', () => {
  it.each([
    ['shortens the pause after failures of an unproven one', { failing: NOW, proven: null, reserved: 0 }, 5],
    ['leaves the pause of a proven one', { failing: NOW, proven: NOW, reserved: 0 }, 24 * 60],
    ['leaves the pause of one that has not failed', { failing: null, proven: null, reserved: 0 }, 24 * 60],
    ['leaves the time of a reserved token', { failing: NOW, proven: null, reserved: 1 }, 24 * 60],
  ])('%s', async (_title, { failing, proven, reserved }, minutes) => {
    const wallet = newWallet()
    const { id, url } = await created(wallet)
    await query(
      `insert into webhook_targets
        (wallet, url_hash, host, failing_since, proven_at, reserved, held_until, last_attempt_at)
        values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), 'hooks.example.com', $3, $4, $5, $6, $7)`,
      ...[wallet, url, failing, proven, reserved, later(DAY), NOW],
    )
    await updateEndpoint(db, { id, wallet, now: NOW }, { url })
    const [target] = await query(
      'select held_until, is_awaited from webhook_targets where wallet = $1',
      wallet,
    )
    expect(target).toEqual({ held_until: later(minutes * MINUTE), is_awaited: true })
  })

  it('locks its waiting deliveries alone, and for another wallet none', async () => {
    const wallet = newWallet()
    const [endpoint, other] = [await created(wallet), await created(wallet)]
    await addDue([endpoint, other], 2)
    const [{ event_id }] = await query(
      `update deliveries set status = 'delivered', next_attempt_at = null
        where endpoint_id = $1 and event_id = (select event_id from deliveries where endpoint_id = $1 limit 1)
        returning event_id`,
      endpoint.id,
    )
    const url = 'https://new.example.com/'
    const change = (wallet: Wallet) => updateEndpoint(db, { id: endpoint.id, wallet, now: NOW }, { url })
    const own = "endpoint_id = $1 and status = 'pending'"
    const locked = (rows: string, action: () => Promise<unknown>) =>
      whileLocked(
        { url: database.url, lock: `select from deliveries where ${rows} for update`, id: endpoint.id },
        action,
      )
    const refused = await locked(own, () => change(newWallet()))
    expect(refused).toMatchObject({ outcome: 'endpoint_not_found' })
    expect(await locked(`not (${own})`, () => change(wallet))).toMatchObject({ outcome: 'changed' })
    expect(
      await query(
        'select event_id from deliveries where endpoint_id = $1 and status = $2',
        endpoint.id,
        'delivered',
      ),
    ).toEqual([{ event_id }])
  })
})

describe('the sweep of due endpoints', () => {
  const at = later(30 * DAY)
  const sweep = (enqueue: DeliverDeps['enqueue']) => sweepDeliveries({ ...depsAt(at), enqueue })
  const walkFrom = (id: string) => query('update delivery_walk set after = $1', id)
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'log').mockImplementation(() => {})
  })

  it('continues after a minute when more are due than it enqueues at once', async () => {
    await crowd('thousand', `${crypto.randomUUID()}.example.com`, 1_001)
    await walkFrom(NO_ID)
    const enqueued: string[] = []
    const { next } = await sweep(async (ids) => void enqueued.push(...ids))
    expect(enqueued).toHaveLength(1_000)
    expect(next?.at).toBe(at.getTime() + MINUTE)
  })

  it('serves twenty itself when the queue is down, also from the middle of the walk', async () => {
    const ids = (await crowd('many', `${crypto.randomUUID()}.example.com`, 60)).map(({ id }) => id).sort()
    await walkFrom(ids[29] ?? NO_ID)
    const { endpoints, queue, next } = await sweep(() => Promise.reject(new Error('the queue is down')))
    expect({ endpoints, queue }).toEqual({ endpoints: 20, queue: 'down' })
    expect(next?.at).toBe(at.getTime() + MINUTE)
    await query('delete from deliveries where endpoint_id = any($1)', ids)
  })
})
