import fc from 'fast-check'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { nextScheduledRun } from '../../lib/clock/jobs.ts'
import { newSchedule, type Schedule, withAnswer, withAsked } from '../../lib/clock/schedule.ts'
import type { Db } from '../../lib/db/connect.ts'
import { importSecretKeys, makeSecret } from '../../lib/events/secrets/secrets.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import type { DueDestination } from '../../lib/events/sending/destinations.ts'
import { leaseBatch, leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { deliver, deliverBatch } from '../../lib/events/sending/run.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { sweepDeliveries } from '../../lib/events/sending/sweep.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { useDatabase } from '../support/database.ts'
import { runs } from '../support/runs.ts'
import { newWallet } from '../support/stored-agents.ts'
import { insertEndpoint, updateEndpoint } from '../support/stored-endpoints.ts'

/*
 * The database knows every time that a run of deliveries schedules on the Clock: the answer of a job run
 * replaces the times that were scheduled before it. And the Clock is scheduled for everything that waits.
 */

const START = Date.parse('2026-11-21T12:10:00.000Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const { WEBHOOK_SECRETS_KEY } = generateSecretsKey()
const secretKeys = () => importSecretKeys(WEBHOOK_SECRETS_KEY)

let answer: () => Response | Promise<Response>
beforeEach(() => {
  for (const line of ['log', 'error'] as const) vi.spyOn(console, line).mockImplementation(() => {})
  const realFetch = globalThis.fetch
  const mocked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (input, init) =>
      String(input).includes('.example.com') ? answer() : realFetch(input, init),
    )
  return () => mocked.mockRestore()
})

const ANSWERS = {
  plain: () => new Response(null, { status: 204 }),
  broken: () => new Response(null, { status: 500 }),
  busy: () => new Response(null, { status: 429, headers: { 'retry-after': '120' } }),
}

/** Two endpoints of a wallet at one URL, their deliveries, a queue that waits, and a Clock. */
async function scene({ isProven }: { isProven: boolean }) {
  await query(
    'truncate events, deliveries, delivery_attempts, endpoints, webhook_targets, webhook_buckets, webhook_hosts',
  )
  await query(`update delivery_walk set after = '00000000-0000-0000-0000-000000000000'`)
  answer = ANSWERS.plain
  let now = START
  let schedule: Schedule = { ...newSchedule(now), dues: {} }
  let asked: number[] = []
  const queue = new Set<string>()
  const alone: DueDestination[] = []
  const wallet = newWallet()
  const url = `https://${crypto.randomUUID()}.example.com/`
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of ids) {
    const { encrypted } = await makeSecret(await secretKeys(), id)
    const endpoint = { id, wallet, url, eventTypes: [], agentIds: [], secret: encrypted, now: new Date(now) }
    await insertEndpoint(db, endpoint)
  }
  if (isProven)
    await query(
      `insert into webhook_targets (wallet, url_hash, host, proven_at, last_attempt_at)
      values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), split_part($2, '/', 3), $3, $3)`,
      ...[wallet, url, new Date(now)],
    )
  const deps: DeliverDeps = {
    db,
    clock: () => new Date(now),
    elapsed: () => 0,
    random: () => 0,
    signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
    secretKeys,
    trustedHosts: new Set(),
    apiHost: 'api.agentcred.example',
    enqueue: async (notified) => {
      for (const id of notified) queue.add(id)
    },
    schedule: (kind, at, by = at) => {
      asked.push(by.getTime())
      schedule = withAsked(schedule, kind, { at: at.getTime(), by: by.getTime() }, false)
    },
    leases: { begin: async () => {}, end: async () => {} },
  }
  /** A job run for another reason: its answer replaces the scheduled times. */
  const runJobs = async () => {
    const { next } = await sweepDeliveries(deps)
    schedule = withAnswer(schedule, 'deliveries', next, now)
  }
  return {
    ids,
    url,
    queue,
    alone,
    runJobs,
    /** Lets time pass, at most until the Clock's next job run. */
    async pass(ms: number) {
      const due = schedule.dues.deliveries?.by ?? Infinity
      now = Math.min(now + ms, Math.max(due, now))
      if (now >= due) await runJobs()
    },
    async put(id: string) {
      await query(
        `with event as (
          insert into events (id, type, occurred_at, recorded_at, wallet, data)
          values ($4, 'agent.registered', $2, $2, $3, '{}') returning id)
        insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
        select $1, id, $3, $2, $2 from event`,
        ...[id, new Date(now), wallet, crypto.randomUUID()],
      )
      queue.add(id)
    },
    async set(id: string, change: { url?: string; enabled?: boolean }) {
      await updateEndpoint(db, { id, wallet, now: new Date(now) }, change)
      queue.add(id)
    },
    /** Serves all endpoints in the queue by one batch. */
    async serve() {
      const some = [...queue]
      queue.clear()
      const { batch, others } = await leaseBatch(deps, some)
      if (batch.deliveries.length > 0) await deliverBatch(deps, batch)
      alone.push(...others.map(({ destination }) => destination))
    },
    /** Serves the first of the endpoints that need a run of their own. */
    async serveAlone({ isCutOff = false } = {}) {
      const first = alone.shift()
      const leased = first && (await leaseDeliveries(deps, first))
      if (!leased) return
      if (isCutOff) deps.schedule('deliveries', new Date(now + MINUTE), new Date(now + MINUTE))
      else await deliver(deps, leased)
    },
    /** Returns due work that is not scheduled on the Clock. */
    async unknown() {
      const calls = asked
      asked = []
      await runJobs()
      const known = schedule.dues.deliveries?.by ?? Infinity
      // The run that was enqueued schedules the rest itself.
      if (queue.size > 0 || alone.length > 0) return []
      const lost = calls.filter((by) => by < known).map((by) => `asked by ${new Date(by).toISOString()}`)
      const waiting = await query(
        `select greatest(next_attempt_at, held_until) as at from deliveries
        left join webhook_targets on webhook_targets.wallet = deliveries.wallet
        join endpoints on id = endpoint_id and disabled_at is null where status = 'pending'`,
      )
      const late = waiting.filter(({ at }) => known > nextScheduledRun((at as Date).getTime()))
      return [...lost, ...late.map(({ at }) => `waits for ${(at as Date).toISOString()}`)]
    },
    /** Returns the milliseconds until the Clock's next run of deliveries. */
    next: () => (schedule.dues.deliveries?.by ?? Infinity) - now,
  }
}

it('attempts a delivery enqueued during a pause when that ends, after any job runs', async () => {
  const { ids, ...life } = await scene({ isProven: false })
  const [id = ''] = ids
  await life.put(id)
  // The request for a proof, which is answered without one, and the event, which fails.
  for (let run = 0; run < 2; run++) {
    await life.serve()
    await life.serveAlone()
    answer = ANSWERS.broken
  }
  await life.put(id)
  await life.serve()
  expect(life.next()).toBe(6 * SECOND)
  await life.runJobs()
  expect(life.next()).toBe(6 * SECOND)
})

it.each([
  ['whose owner sets its URL', ({ url }: { url: string }) => ({ url })],
  ['whose owner enables it', () => ({ enabled: true })],
])('attempts deliveries of an endpoint %s in a pause when that ends', async (_, changeOf) => {
  const { ids, ...life } = await scene({ isProven: true })
  const [id = ''] = ids
  answer = ANSWERS.busy
  await life.put(id)
  await life.serve()
  await life.serveAlone()
  // As when the database was woken for its destination thrice on that day.
  await query('update webhook_targets set is_awaited = false')
  await life.runJobs()
  expect(life.next()).toBeGreaterThan(5 * 60 * MINUTE)
  await life.set(id, changeOf(life))
  await life.serve()
  await life.runJobs()
  expect(life.next()).toBe(2 * MINUTE)
})

it('makes an endpoint due after the pause when another one has leased its URL', async () => {
  const { ids, ...life } = await scene({ isProven: false })
  for (const id of ids) await life.put(id)
  await life.serve()
  await life.serveAlone()
  // Its URL is unconfirmed now: both may be sent something.
  life.alone.length = 0
  await life.serve()
  expect(life.alone).toHaveLength(2)
  answer = ANSWERS.broken
  await life.serveAlone()
  await life.serveAlone()
  expect(life.next()).toBeLessThanOrEqual(6 * 60 * MINUTE)
})

it('does not wake the database for a URL with an attempt in flight', async () => {
  const { ids, ...life } = await scene({ isProven: false })
  answer = ANSWERS.broken
  for (const id of ids) await life.put(id)
  await life.serve()
  await life.serveAlone()
  life.alone.length = 0
  // A new delivery is urgent; after its next attempt it is no longer urgent.
  expect(life.next()).toBe(5 * MINUTE)
  await query("update deliveries set created_at = created_at - interval '1 hour'")
  await life.pass(5 * MINUTE)
  await life.serve()
  expect(life.alone).toHaveLength(2)
  answer = async () => {
    await life.serveAlone()
    return ANSWERS.broken()
  }
  await life.serveAlone()
  expect(life.alone).toEqual([])
  expect(life.next()).toBeGreaterThan(5 * 60 * MINUTE)
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('put' as const), index: fc.nat(1) }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constant('serve' as const), alone: fc.nat(2) }) },
  fc.record({ what: fc.constant('alone' as const) }),
  fc.record({ what: fc.constant('answer' as const), how: fc.constantFrom('plain', 'broken', 'busy') }),
  fc.record({ what: fc.constant('set' as const), index: fc.nat(1), isUrl: fc.boolean() }),
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat(10 * SECOND), fc.nat(10 * MINUTE), fc.nat(8 * 60 * MINUTE)),
    }),
  },
)

it(
  'keeps scheduled times for the next run, and schedules all that waits',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { minLength: 5, maxLength: 30 }),
        async (isProven, steps) => {
          const life = await scene({ isProven })
          for (const one of steps) {
            const id = life.ids['index' in one ? one.index : 0] ?? ''
            if (one.what === 'put') await life.put(id)
            else if (one.what === 'serve') {
              await life.serve()
              for (let n = 0; n < one.alone; n++) await life.serveAlone()
            } else if (one.what === 'alone') await life.serveAlone({ isCutOff: true })
            else if (one.what === 'answer') answer = ANSWERS[one.how as keyof typeof ANSWERS]
            else if (one.what === 'set') await life.set(id, one.isUrl ? { url: life.url } : { enabled: true })
            else await life.pass(one.ms)
            expect(await life.unknown()).toEqual([])
          }
        },
      ),
      { numRuns: runs(40, 500) },
    ),
  120_000,
)
