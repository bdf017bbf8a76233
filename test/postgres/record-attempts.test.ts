import { beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { recordRules, resultOf } from '../support/leases.ts'
import { newWallet } from '../support/stored-agents.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR = 3_600_000

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

type Endpoint = { id: string; kind: 'wallet'; wallet: Wallet; url: string; lease: string; events: string[] }
type Target = { proven_at?: Date; answered_at?: Date; failing_since?: Date; is_healthy?: boolean }

/** Stores an endpoint with leased deliveries, and its destination as a lease has left it. */
async function leased(target: Target = {}, { count = 3, heldUntil = null as Date | null } = {}) {
  const id = crypto.randomUUID()
  const wallet = newWallet()
  const [url, lease] = [`https://${id}.example.com/`, crypto.randomUUID()]
  await query(
    `insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
    values ($1, $2, $3, '{}', '{}', $4, $4, '')`,
    ...[id, wallet, url, later(-HOUR)],
  )
  await query(
    `insert into webhook_targets (wallet, url_hash, host, last_attempt_at, held_until, proven_at, answered_at,
      failing_since, is_healthy)
    values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), $3, $4, $5, $6, $7, $8, $9)`,
    ...[wallet, url, `${id}.example.com`, later(-HOUR), heldUntil, target.proven_at, target.answered_at],
    ...[target.failing_since, target.is_healthy ?? false],
  )
  const rows = await query(
    `with event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), 'endpoint.test', $1, $1, $2, '{}' from generate_series(1, $3) returning id)
    insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at, lease)
    select $4, id, $2, $1, $5, $6 from event returning event_id`,
    ...[later(-HOUR), wallet, count, id, later(60_000), lease],
  )
  const events = rows.map(({ event_id }) => String(event_id))
  return { id, kind: 'wallet', wallet, url, lease, events } as Endpoint
}

type Given = { code?: number; [column: string]: unknown }

/** Records a result for each of an endpoint's first deliveries. */
const record = (endpoint: Endpoint, given: Given[], rules: Partial<ReturnType<typeof recordRules>> = {}) =>
  postgres.recordAttempts.rows(db, {
    ...{ ...recordRules(NOW), ...rules, lease: endpoint.lease, leasedAt: later(-1_000) },
    results: given.map((one, i) => resultOf(endpoint, endpoint.events[i] ?? '', one)),
  })

const targetOf = async ({ wallet }: Endpoint) =>
  (await query('select * from webhook_targets where wallet = $1', wallet))[0] ?? expect.fail()

const proven: Target = { proven_at: later(-HOUR) }
const unconfirmed: Target = { answered_at: later(-HOUR) }
const ok = { code: 204 }
const fails = { code: 500 }
const asks = (seconds: number) => ({ code: 429, pause_ms: seconds * 1_000 })

describe('a destination', () => {
  it.each([
    ['not when it has answered 2xx', proven, [ok, fails], null],
    ['for six seconds when it fails', proven, [fails, fails], 6_000],
    ['for its pause when it is new and fails', {}, [fails], 299_000],
    ['not when it answers 2xx for the first time', {}, [{ step: 'answered' }], null],
    ['not when it is unconfirmed and answers 2xx', unconfirmed, [ok], null],
    ['for six seconds when it is unconfirmed and fails', unconfirmed, [fails], 6_000],
    ['as long as it asks', proven, [asks(3_600)], HOUR],
    ['as long as it asks, whatever else it has answered', proven, [ok, asks(60), ok], 60_000],
    ['no shorter than six seconds, if it asks for less', proven, [asks(1)], 6_000],
    ['for its pause, if it is new and asks for less', {}, [asks(9)], 299_000],
    ['as long as it asks, if it is new', {}, [asks(3_600)], HOUR],
  ])('is paused %s', async (_case, target, given, pauseMs) => {
    const endpoint = await leased(target, { heldUntil: later(299_000) })
    await record(endpoint, given)
    expect((await targetOf(endpoint)).held_until).toEqual(pauseMs === null ? null : later(pauseMs))
  })

  it('shows no next attempt before its pause ends', async () => {
    const shown = async (endpoint: Endpoint) => {
      const rows = await query(
        `select next_attempt_at from deliveries where endpoint_id = $1 and attempts = 1
        order by array_position($2::uuid[], event_id)`,
        ...[endpoint.id, endpoint.events],
      )
      return rows.map(({ next_attempt_at }) => next_attempt_at)
    }
    const retry = { ...fails, next_attempt_at: later(5_100) }
    for (const isShared of [true, false]) {
      const [failing, asking, mixed] = [await leased(proven), await leased(proven), await leased(proven)]
      const [first] = await record(failing, [retry], { isShared })
      expect([await shown(failing), first?.nextAt]).toEqual([[later(6_000)], later(6_000)])
      // A pause that one answer asks for holds for the others of the run.
      const late = { ...retry, next_attempt_at: later(2 * HOUR) }
      await record(asking, [retry, { ...retry, ...asks(3_600) }, late], { isShared })
      expect(await shown(asking)).toEqual([later(HOUR), later(HOUR), later(2 * HOUR)])
      await record(mixed, [ok, retry, { code: 410, step: 'gone' }], { isShared })
      expect(await shown(mixed)).toEqual([null, later(5_100), NOW])
    }
  })

  it('fails from its first run without a 2xx until the next 2xx', async () => {
    const endpoint = await leased(proven)
    await record(endpoint, [fails])
    expect(await targetOf(endpoint)).toMatchObject({ failing_since: NOW, is_healthy: false })
    await record({ ...endpoint, events: endpoint.events.slice(1) }, [fails], { now: later(60_000) })
    expect((await targetOf(endpoint)).failing_since).toEqual(NOW)
    await record({ ...endpoint, events: endpoint.events.slice(2) }, [ok], { now: later(120_000) })
    expect(await targetOf(endpoint)).toMatchObject({ failing_since: null, is_healthy: true })
  })

  it('is healthy after prompt answers in a run of its own, not in a shared run', async () => {
    const [slow, shared] = [await leased(proven), await leased(proven)]
    expect(await record(slow, [ok, ok])).toHaveLength(1)
    expect(await record(shared, [ok, ok], { isShared: true })).toEqual([])
    expect([(await targetOf(slow)).is_healthy, (await targetOf(shared)).is_healthy]).toEqual([true, false])
  })

  it('is not healthy after a late answer, or while an attempt without an answer delays others', async () => {
    const healthy = { ...proven, is_healthy: true }
    const [late, hanging] = [await leased(healthy), await leased(healthy)]
    await record(late, [ok, { ...ok, is_prompt: false }], { isShared: true })
    await record(hanging, [{ step: 'unanswered' }], { isShared: true })
    expect(await targetOf(late)).toMatchObject({ is_healthy: false, failing_since: null })
    expect(await targetOf(hanging)).toMatchObject({ is_healthy: false, failing_since: null })
    const rows = await query('select lease, attempts from deliveries where endpoint_id = $1', hanging.id)
    expect(rows).toEqual(Array(3).fill({ lease: hanging.lease, attempts: 0 }))
  })

  it('is proven by its proof, or by a 2xx at a trusted host, which is never healthy', async () => {
    const [own, trusted, without] = [await leased(), await leased(), await leased()]
    await record(own, [{ step: 'answered' }])
    await record(trusted, [ok], { trustedHosts: [new URL(trusted.url).host] })
    await record(without, [{ step: 'answered', unconfirmed_reason: 'other_body' }])
    expect(await targetOf(own)).toMatchObject({ proven_at: NOW, is_healthy: true, unconfirmed_reason: null })
    expect(await targetOf(trusted)).toMatchObject({ proven_at: NOW, is_healthy: false, answered_at: null })
    const asked = { proven_at: null, answered_at: later(-1_000), unconfirmed_reason: 'other_body' }
    expect(await targetOf(without)).toMatchObject(asked)
  })
})

describe('deliveries', () => {
  const statesOf = async ({ events }: Endpoint) => {
    const rows = await query('select * from deliveries where event_id = any ($1)', events)
    return events.map((id) => rows.find(({ event_id }) => event_id === id))
  }

  it('get their next state, and lose their lease', async () => {
    const endpoint = await leased(proven, { count: 5 })
    const retry = { ...fails, next_attempt_at: later(300_000) }
    await record(endpoint, [ok, retry, { code: 410 }, { ...fails, step: 'given_up' }, { step: 'unsent' }])
    const tried = { lease: null, attempts: 1, last_attempt_at: later(-1_000) }
    expect(await statesOf(endpoint)).toMatchObject([
      { ...tried, status: 'delivered', next_attempt_at: null, last_response_code: 204 },
      { ...tried, status: 'pending', next_attempt_at: later(300_000), last_response_code: 500 },
      { ...tried, status: 'pending', next_attempt_at: NOW, last_response_code: 410 },
      { ...tried, status: 'failed', next_attempt_at: null, last_response_code: 500 },
      { lease: null, attempts: 0, last_attempt_at: null, status: 'pending', next_attempt_at: NOW },
    ])
  })

  it('use no attempt by a 2xx to a request for a proof', async () => {
    const endpoint = await leased()
    const [row] = await record(endpoint, [{ step: 'answered' }])
    expect(row).toMatchObject({ toNotify: [endpoint.id], nextAt: NOW })
    const untried = { attempts: 0, last_response_code: null, status: 'pending', next_attempt_at: NOW }
    expect((await statesOf(endpoint))[0]).toMatchObject({ ...untried, lease: null })
    expect(await query('select from delivery_attempts where endpoint_id = $1', endpoint.id)).toEqual([])
  })

  it('of several endpoints are recorded once by concurrent calls, in any order of the results', async () => {
    const endpoints = await Promise.all(Array.from({ length: 6 }, () => leased(proven)))
    const lease = crypto.randomUUID()
    await query('update deliveries set lease = $1 where endpoint_id = any ($2)', lease, [
      ...endpoints.map(({ id }) => id),
    ])
    const results = endpoints.flatMap((endpoint) =>
      endpoint.events.map((event) => resultOf(endpoint, event, { ...fails, next_attempt_at: later(1) })),
    )
    const calls = [results, results.toReversed(), results.toSorted(() => -1), results].map((results) =>
      postgres.recordAttempts.rows(db, { ...recordRules(NOW), lease, leasedAt: NOW, results }),
    )
    const rows = (await Promise.all(calls)).flat()
    expect(rows.map(({ endpointId }) => endpointId).sort()).toEqual(endpoints.map(({ id }) => id).sort())
    for (const endpoint of endpoints)
      for (const row of await statesOf(endpoint)) expect(row).toMatchObject({ attempts: 1, lease: null })
  })
})

describe('an endpoint', () => {
  const reasonOf = async ({ id }: Endpoint) =>
    (await query('select disabled_reason from endpoints where id = $1', id))[0]?.disabled_reason

  it('is disabled by a 410, or by a failure after five days without a 2xx', async () => {
    const since = later(-SQL_LIMITS.failingLimitMs)
    const [gone, failing, early] = [
      await leased(proven),
      await leased({ ...proven, failing_since: since }),
      await leased({ ...proven, failing_since: new Date(since.getTime() + 1) }),
    ]
    await query('update endpoints set set_at = $1', later(-6 * 24 * HOUR))
    await record(gone, [{ code: 410 }])
    await record(failing, [fails])
    await record(early, [fails])
    expect([await reasonOf(gone), await reasonOf(failing), await reasonOf(early)]).toEqual([
      ...['gone', 'failing', null],
    ])
  })

  it('is enqueued with the others of its URL when a failing destination answers, unless it asks', async () => {
    const failing = { ...proven, failing_since: later(-HOUR) }
    const [released, paused] = [await leased(failing), await leased(failing)]
    await query('update deliveries set lease = null, next_attempt_at = $1 where event_id = any ($2)', NOW, [
      ...[released.events[1], paused.events[1]],
    ])
    expect(await record(released, [ok])).toMatchObject([{ toNotify: [released.id], nextAt: NOW }])
    const [row] = await record({ ...paused, events: [paused.events[0], paused.events[2]] as string[] }, [
      ...[ok, asks(60)],
    ])
    expect(row).toMatchObject({ toNotify: [], nextAt: later(60_000) })
  })
})
