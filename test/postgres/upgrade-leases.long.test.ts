import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { addDatabase } from '../support/database.ts'
import { upgradeFrom } from '../support/upgrade/databases.ts'
import { readRecording } from '../support/upgrade/recording.ts'

/* Workers of the former release lease deliveries while this release's Workers do. */

const VERSION = '1.0.0'
const recording = readRecording(VERSION)
const HOST = 'hooks.example.com'

let pool: pg.Pool
beforeAll(async () => {
  const url = await addDatabase()
  await upgradeFrom(url, recording)
  pool = new pg.Pool({ connectionString: url, max: 12 })
})
afterAll(() => pool.end())

/** Stores a healthy endpoint and a slow one, each with 40 due deliveries. */
async function storeEndpoints(): Promise<{ id: string; url_hash: string }[]> {
  const { rows } = await pool.query(
    `with endpoint as (
      insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
      select gen_random_uuid(), 'owner ' || n, 'https://hooks.example.com/' || n, '{}', '{}', $1, $1, ''
      from generate_series(1, 2) as n returning *),
    target as (
      insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, last_attempt_at)
      select wallet, encode(sha256(convert_to(url, 'UTF8')), 'hex'), $2, $1, wallet = 'owner 1', $1
      from endpoint returning *),
    event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), 'endpoint.test', $1, $1, wallet, '{}' from endpoint, generate_series(1, 40)
      returning *),
    delivery as (
      insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
      select endpoint.id, event.id, wallet, $1, $1 from event join endpoint using (wallet))
    select endpoint.id, url_hash from endpoint join target using (wallet) order by wallet`,
    [new Date('2026-11-23'), HOST],
  )
  return rows
}

/** Returns a recorded statement of the former release, with other values for some of its parameters. */
function formerly(text: string, parameters: Record<number, unknown>) {
  const statements = recording.examples.flatMap(({ statements }) => statements)
  const found = statements.find(({ query }) => query.includes(text)) ?? expect.fail()
  return { text: found.query, values: found.params?.map((value, i) => parameters[i + 1] ?? value) ?? [] }
}

it('Workers of two releases lease different deliveries at the same time', async () => {
  const [healthy, slow] = await storeEndpoints()
  if (!healthy || !slow) return expect.fail()
  const text = `select id from ${API_SCHEMA}.lease_deliveries($1, $2, $3, $4, '{}', '', $5, $6)`
  const statements = Array.from({ length: 3 }, () => {
    const own = formerly(`"api_1"."lease_deliveries"`, {
      1: slow.id,
      2: slow.url_hash,
      3: HOST,
      4: crypto.randomUUID(),
    })
    const shared = formerly('with "open" as', { 3: `{${healthy.id}}`, 12: crypto.randomUUID() })
    // Both releases have the time of the recorded statement: a later run leases what an ended lease left.
    return [
      own,
      shared,
      { text, values: [[slow.id], slow.url_hash, HOST, crypto.randomUUID(), SQL_LIMITS, own.values[4]] },
      { text, values: [[healthy.id], null, null, crypto.randomUUID(), SQL_LIMITS, shared.values[0]] },
    ]
  })
  const events = new Set((await pool.query('select id from events')).rows.map(({ id }) => id))
  const leases = await Promise.all(
    statements.flat().map(async (statement) => {
      const { rows } = await pool.query({ ...statement, rowMode: 'array' })
      return rows.flat().filter((value) => events.has(value))
    }),
  )
  const leased = leases.flat()
  // Each of six former leases has six, and each of this release has five.
  expect(leases.map(({ length }) => length)).toEqual(Array(3).fill([6, 6, 5, 5]).flat())
  expect(new Set(leased).size).toBe(leased.length)
  const { rows } = await pool.query(
    'select count(*)::int, count(distinct lease)::int as leases from deliveries where lease is not null',
  )
  expect(rows).toEqual([{ count: 66, leases: 12 }])
})
