import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { deleteEndpoint } from '../../lib/events/endpoints/remove-queries.ts'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { trimBacklogs } from '../../lib/events/sending/sweep.ts'
import { useDatabase } from '../support/database.ts'
import { walkEndpoints } from '../support/leases.ts'
import { whileLocked } from '../support/locks.ts'
import { newWallet, storeAgent, updateAgent } from '../support/stored-agents.ts'
import { insertEndpoint, updateEndpoint } from '../support/stored-endpoints.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const DAY = 86_400_000
const later = (ms: number) => new Date(NOW.getTime() + ms)

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})
beforeEach(async () => {
  await query('truncate deliveries, endpoints')
  await query(`update delivery_walk set after = '00000000-0000-0000-0000-000000000000'`)
})

async function createdEndpoint() {
  const id = crypto.randomUUID()
  const wallet = newWallet()
  const url = `https://${id}.example.com/`
  const { endpoint } = await insertEndpoint(db, {
    ...{ id, wallet, url, eventTypes: [], agentIds: [], secret: 'x', now: NOW },
  })
  if (!endpoint) throw new Error('the wallet has its most endpoints')
  return endpoint
}

/** Enqueues so many deliveries for an endpoint, each due at a time, under a lease if one is given. */
const putInLine = (endpointId: string, count: number, dueAt: Date, lease: string | null = null) =>
  query(
    `with event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), 'agent.registered', $3, $3, 'wallet', '{}' from generate_series(1, $2) returning id)
    insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at, lease)
    select $1, id, 'wallet', $3, $4, $5 from event`,
    ...[endpointId, count, NOW, dueAt, lease],
  )

/** Counts an endpoint's deliveries by state, and those due. */
const countsOf = async (endpointId: string): Promise<Record<string, number>> => {
  const rows = await query(
    `select case when status = 'pending' and next_attempt_at <= $2 then 'due' else status end as state, count(*)::int
    from deliveries where endpoint_id = $1 group by 1`,
    ...[endpointId, NOW],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

describe('the cron’s walk', () => {
  const walk = (steps: number, limit = 100) => walkEndpoints(db, { now: NOW, steps, limit })

  it('reads a limited number of endpoints, and continues there until all are read', async () => {
    const live = await Promise.all(Array.from({ length: 10 }, createdEndpoint))
    const gone = Array.from({ length: 40 }, () => crypto.randomUUID())
    for (const id of [...live.map(({ id }) => id), ...gone]) await putInLine(id, 1, NOW)
    const seen: string[] = []
    for (let run = 0; run < 5; run++) {
      const { endpointIds, givenUp } = await walk(10)
      expect(endpointIds.length + givenUp).toBe(10)
      seen.push(...endpointIds)
    }
    expect(seen.sort()).toEqual(live.map(({ id }) => id).sort())
    for (const id of gone) expect(await countsOf(id)).toEqual({ failed: 1 })
    // It has met the last one without knowing it; then it finds none behind, and begins anew.
    expect(await walk(10)).toMatchObject({ endpointIds: [], isLast: true })
    expect((await walk(1_000)).endpointIds).toHaveLength(10)
    expect((await walk(1_000)).endpointIds).toHaveLength(10)
    // The URLs are in the order of their endpoints.
    const { endpointIds, urls, dueCount } = await walk(1_000, 3)
    const urlOf = Object.fromEntries(live.map(({ id, url }) => [id, url]))
    expect([urls, dueCount]).toEqual([endpointIds.map((id) => urlOf[id]), 10])
    expect(endpointIds).toHaveLength(3)
  })

  it('starts again after the last one, and finds nothing when there is none', async () => {
    const nothing = { endpointIds: [], urls: [], dueCount: 0, nextAt: null, urgentAt: null, givenUp: 0 }
    expect(await walk(10)).toEqual({ ...nothing, isFirst: true, isLast: true })
    const { id, url } = await createdEndpoint()
    await putInLine(id, 1, NOW)
    expect(await walk(10)).toMatchObject({ endpointIds: [id], urls: [url], dueCount: 1 })
    await putInLine('ffffffff-ffff-ffff-ffff-ffffffffffff', 1, NOW)
    expect(await walk(10)).toMatchObject({ endpointIds: [id], givenUp: 1 })
  })

  it('returns endpoints up to its limit, and when the others are due', async () => {
    const [due, waiting, held] = [await createdEndpoint(), await createdEndpoint(), await createdEndpoint()]
    const more = await createdEndpoint()
    await putInLine(due.id, 2, later(-1))
    await putInLine(more.id, 1, NOW)
    await putInLine(waiting.id, 1, later(DAY))
    await putInLine(held.id, 1, NOW)
    await query(
      `insert into webhook_targets (wallet, url_hash, host, last_attempt_at, held_until, failing_since)
      select wallet, encode(sha256(convert_to(url, 'UTF8')), 'hex'), '', $2, $3, $2 from endpoints where id = $1`,
      ...[held.id, later(1), later(2 * DAY)],
    )
    expect(await walk(10, 1)).toMatchObject({ endpointIds: [due.id], dueCount: 2, nextAt: later(DAY) })
    await query('delete from deliveries where endpoint_id = $1', waiting.id)
    // The pause ends too late to wake the database for it.
    expect(await walk(10)).toMatchObject({
      ...{ endpointIds: [due.id, more.id], nextAt: later(2 * DAY), urgentAt: null },
    })
  })
})

describe('a deleted endpoint’s queue', () => {
  it('is given up with it, as much as one statement may, and the rest by the cron', async () => {
    const { id, wallet } = await createdEndpoint()
    await putInLine(id, 30, NOW)
    await putInLine(id, 2, later(DAY))
    await putInLine(id, 1, later(60_000), crypto.randomUUID())
    expect((await deleteEndpoint(db, { id, wallet: newWallet(), now: NOW, limit: 20 })).endpoint).toBe(
      undefined,
    )
    expect(await countsOf(id)).toEqual({ due: 30, pending: 3 })
    expect((await deleteEndpoint(db, { id, wallet, now: NOW, limit: 20 })).endpoint?.id).toBe(id)
    expect((await countsOf(id)).failed).toBe(20)
    const limits = { now: NOW, givenUpAtOnce: 5 }
    const walks = await Promise.all(Array.from({ length: 4 }, () => walkEndpoints(db, limits)))
    expect(walks.reduce((sum, { givenUp }) => sum + givenUp, 0)).toBe(12)
    // A delivery in flight is left until its lease has ended.
    expect(await countsOf(id)).toEqual({ failed: 32, pending: 1 })
    expect(await walkEndpoints(db, { now: later(60_000) })).toMatchObject({ endpointIds: [], givenUp: 1 })
    expect(await walkEndpoints(db, { now: later(DAY) })).toMatchObject({ endpointIds: [], givenUp: 0 })
  })

  it('is kept for an existing endpoint, and for an agent with or without a webhook', async () => {
    const { id, wallet } = await createdEndpoint()
    await updateEndpoint(db, { id, wallet, now: NOW }, { enabled: false })
    const agent = await storeAgent(db, newWallet(), NOW)
    for (const each of [id, agent.id]) await putInLine(each, 3, NOW)
    expect(await walkEndpoints(db, { now: NOW })).toMatchObject({ endpointIds: [], givenUp: 0, nextAt: null })
  })
})

describe('a failed delivery', () => {
  it.each([
    ['is enabled', () => ({ enabled: true })],
    ['has its URL set anew', (url: string) => ({ url })],
  ])('is due at once when its endpoint %s, except attempts in flight', async (_, changeOf) => {
    const { id, wallet, url } = await createdEndpoint()
    const change = changeOf(url)
    const other = await createdEndpoint()
    await updateEndpoint(db, { id, wallet, now: NOW }, { enabled: false })
    await putInLine(id, 4, later(DAY))
    await putInLine(id, 1, later(60_000), crypto.randomUUID())
    await putInLine(other.id, 2, later(DAY))
    await updateEndpoint(db, { id, wallet, now: NOW }, { description: 'Mine' })
    await updateEndpoint(db, { id, wallet: newWallet(), now: NOW }, change)
    expect(await countsOf(id)).toEqual({ pending: 5 })
    await updateEndpoint(db, { id, wallet, now: NOW }, change)
    expect(await countsOf(id)).toEqual({ due: 4, pending: 1 })
    expect(await countsOf(other.id)).toEqual({ pending: 2 })
  })

  it('is given up when the URL changes, also in flight, and no failure restores it', async () => {
    const { id, wallet } = await createdEndpoint()
    const other = await createdEndpoint()
    const lease = crypto.randomUUID()
    await putInLine(id, 4, later(DAY))
    await putInLine(id, 1, later(60_000), lease)
    await putInLine(other.id, 2, later(DAY))
    const change = { url: 'https://next.example.com/' }
    await updateEndpoint(db, { id, wallet: newWallet(), now: NOW }, change)
    expect(await countsOf(id)).toEqual({ pending: 5 })
    await updateEndpoint(db, { id, wallet, now: NOW }, change)
    expect(await countsOf(id)).toEqual({ failed: 5 })
    expect(await countsOf(other.id)).toEqual({ pending: 2 })
    expect(await query('select 1 from deliveries where lease = $1', lease)).toEqual([])
  })

  it('is due at once when webhookUrl is set again, and given up when it changes', async () => {
    const { id, pubkey: wallet } = await storeAgent(db, newWallet(), NOW)
    await putInLine(id, 3, later(DAY))
    const set = (details: object) =>
      updateAgent(db, {
        ...{ id, wallet, isOperator: false, details, now: NOW },
        ownerFrom: ['active', 'inactive'],
        operatorFrom: [],
      })
    await set({ description: 'Mine' })
    expect(await countsOf(id)).toEqual({ pending: 3 })
    await set({ webhookUrl: 'https://hooks.example.com/' })
    expect(await countsOf(id)).toEqual({ failed: 3 })
    await putInLine(id, 2, later(DAY))
    await set({ webhookUrl: 'https://hooks.example.com/' })
    expect(await countsOf(id)).toEqual({ due: 2, failed: 3 })
    await set({ webhookUrl: null })
    expect(await countsOf(id)).toEqual({ failed: 5 })
  })

  it('is made due in parts if there are many: the next request gets the next part', async () => {
    const { id, wallet } = await createdEndpoint()
    await putInLine(id, 5_003, later(DAY))
    const enable = () => updateEndpoint(db, { id, wallet, now: NOW }, { enabled: true })
    await enable()
    expect(await countsOf(id)).toEqual({ due: 5_000, pending: 3 })
    await enable()
    expect(await countsOf(id)).toEqual({ due: 5_003 })
  })
})

describe('an endpoint for which more than ten thousand deliveries wait', () => {
  const depsAt = (toNotify: string[], now: Date) =>
    ({
      db,
      clock: () => now,
      enqueue: async (more: string[]) => toNotify.push(...more),
    }) as unknown as DeliverDeps
  /** As if nothing had been looked at. */
  const forget = () => query(`update delivery_walk set looked_until = '1970-01-01'`)

  it('is paused by a job run, which publishes that; the oldest are given up', async () => {
    const { id, wallet } = await createdEndpoint()
    const other = await createdEndpoint()
    const agent = await storeAgent(db, newWallet(), NOW)
    await query('update agents set webhook_url = $2 where id = $1', agent.id, 'https://hooks.example.com/')
    await query('update endpoints set wallet = $2 where id = $1', other.id, wallet)
    await putInLine(id, 4, later(-DAY))
    await putInLine(id, 10_000, later(DAY))
    await putInLine(other.id, 9_000, NOW)
    await putInLine(agent.id, 10_001, NOW)
    const toNotify: string[] = []
    await forget()
    expect(await trimBacklogs(depsAt(toNotify, later(60_000)))).toEqual({ full: 2, givenUp: 5 })
    // The event about the pause waits for the endpoint, too.
    expect(await countsOf(id)).toEqual({ failed: 4, pending: 10_001 })
    expect(await query('select disabled_reason from endpoints where id = any($1)', [id, other.id])).toEqual(
      expect.arrayContaining([{ disabled_reason: 'full' }, { disabled_reason: null }]),
    )
    expect(
      await query('select webhook_disabled_reason as reason from agents where id = $1', agent.id),
    ).toEqual([{ reason: 'full' }])
    const published = await query(
      `select data->>'reason' as reason from events where wallet = $1 and type = 'endpoint.disabled'`,
      wallet,
    )
    expect(published).toEqual([{ reason: 'full' }])
    expect(toNotify).toContain(other.id)
    // While it is paused, the number of waiting deliveries does not grow either.
    await forget()
    await putInLine(id, 7, later(2 * DAY))
    expect((await trimBacklogs(depsAt([], later(120_000)))).givenUp).toBeGreaterThanOrEqual(7)
    expect((await countsOf(id)).pending).toBe(10_000)
    expect(
      await query(
        `select count(*)::int from events where wallet = $1 and type = 'endpoint.disabled'`,
        wallet,
      ),
    ).toEqual([{ count: 1 }])
  })

  it('is trimmed but not disabled while its owner changes it, which waits for nothing', async () => {
    const { id, wallet } = await createdEndpoint()
    await putInLine(id, 20, NOW)
    await forget()
    const limits = { ...SQL_LIMITS, maxWaiting: 10 }
    const trim = () => postgres.trimBacklogs.call(db, { limits, now: later(60_000) })
    const lock = 'select from endpoints where id = $1 for no key update'
    expect(await whileLocked({ url: database.url, lock, id }, trim)).toMatchObject({ givenUp: 10 })
    const disabled = () =>
      query(`select from events where wallet = $1 and type = 'endpoint.disabled'`, wallet)
    expect(await disabled()).toEqual([])
    await putInLine(id, 1, NOW)
    await forget()
    expect(await trim()).toMatchObject({ givenUp: 1 })
    expect(await disabled()).toHaveLength(1)
  })

  it('is trimmed in parts: each call gives up a limited number, and the last one says so', async () => {
    const ids = (await Promise.all([createdEndpoint(), createdEndpoint()])).map(({ id }) => id).sort()
    const [first = '', second = ''] = ids
    for (const id of ids) await putInLine(id, 20, NOW)
    await forget()
    const limits = { ...SQL_LIMITS, maxWaiting: 10, givenUpAtOnce: 8 }
    const trim = () => postgres.trimBacklogs.call(db, { limits, now: later(60_000) })
    expect(await trim()).toMatchObject({ trimmed: 0, givenUp: 8, isLast: false })
    expect([(await countsOf(first)).failed, (await countsOf(second)).failed]).toEqual([8, undefined])
    const calls = [await trim(), await trim()]
    expect(calls).toMatchObject([
      { trimmed: 1, givenUp: 8, isLast: false },
      { trimmed: 1, givenUp: 6, isLast: true },
    ])
    // The event of its disabling waits for each, too.
    for (const id of ids) expect(await countsOf(id)).toEqual({ failed: 11, due: 9, pending: 1 })
    expect(await trim()).toMatchObject({ trimmed: 0, givenUp: 0, isLast: true })
  })

  it('is found when its deliveries are just as many as a call reads', async () => {
    const ids = [(await createdEndpoint()).id, (await createdEndpoint()).id]
    for (const [days, id] of ids.entries()) {
      await putInLine(id, 20, NOW)
      const before = later((days - 9) * DAY)
      await query('update deliveries set created_at = $2 where endpoint_id = $1', id, before)
    }
    await forget()
    const limits = { ...SQL_LIMITS, maxWaiting: 10, countedAtOnce: 20 }
    const trim = () => postgres.trimBacklogs.call(db, { limits, now: later(60_000) })
    expect([await trim(), await trim()]).toMatchObject([
      { trimmed: 1, givenUp: 10, isLast: false },
      { trimmed: 1, givenUp: 10, isLast: false },
    ])
    for (const id of ids) expect((await countsOf(id)).failed).toBe(10)
  })

  it('is found once by concurrent sweeps, which give up the excess together', async () => {
    const { id, wallet } = await createdEndpoint()
    await putInLine(id, 60, NOW)
    await forget()
    const limits = { ...SQL_LIMITS, maxWaiting: 10 }
    const calls = await Promise.all(
      Array.from({ length: 4 }, () => postgres.trimBacklogs.call(db, { limits, now: later(60_000) })),
    )
    expect(calls.reduce((sum, { givenUp }) => sum + givenUp, 0)).toBe((await countsOf(id)).failed)
    const { due = 0, pending = 0 } = await countsOf(id)
    expect(due + pending).toBeGreaterThanOrEqual(10)
    const disabled = await query(
      `select from events where wallet = $1 and type = 'endpoint.disabled'`,
      ...[wallet],
    )
    expect(disabled).toHaveLength(1)
  })
})
