import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`set search_path to ${API_SCHEMA}, public`)
})
afterAll(() => client.end())
beforeEach(() => client.query('truncate webhook_hosts'))

const NOW = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const { wakingMs, soonMs, wakesPerDestination, wakesOfUnpaid } = SQL_LIMITS

/** A destination of an unpaid wallet, with an attempt at it. */
type Attempt = { url?: string; isProven?: boolean; failingSince?: Date; at?: Date; isFresh?: boolean }

async function isWorthWaking({
  url = 'a',
  isProven = true,
  failingSince,
  at = later(2 * soonMs),
  isFresh = false,
}: Attempt): Promise<boolean> {
  const destination = {
    ...{ wallet: 'unpaid', url_hash: url, host: 'hooks.example.com', last_attempt_at: NOW },
    ...{ proven_at: isProven ? NOW : null, failing_since: failingSince ?? null },
  }
  const { rows } = await client.query(
    'select is_worth_waking(json_populate_record(null::webhook_targets, $1), $2, $3, $4, $5) as is_worth',
    [JSON.stringify(destination), at, isFresh, JSON.stringify(SQL_LIMITS), NOW],
  )
  return rows[0].is_worth
}

const times = async (count: number, attempt: (index: number) => Attempt) => {
  const answers: boolean[] = []
  for (let index = 0; index < count; index++) answers.push(await isWorthWaking(attempt(index)))
  return answers
}

describe('an attempt', () => {
  const since = later(-60_000)
  const lastAt = new Date(since.getTime() + wakingMs)
  it.each<[string, boolean, Attempt]>([
    ['wakes the database when its destination is proven', true, {}],
    ['waits when its destination is not proven', false, { isProven: false }],
    ['wakes it at the end of two hours of failures', true, { failingSince: since, at: lastAt }],
    ['waits after that', false, { failingSince: since, at: new Date(lastAt.getTime() + 1) }],
    ['wakes it when it is fresh and soon', true, { isProven: false, isFresh: true, at: later(soonMs) }],
    ['waits when it is fresh and later', false, { isProven: false, isFresh: true, at: later(soonMs + 1) }],
    ['waits when it is soon and not fresh', false, { isProven: false, at: later(soonMs) }],
  ])('%s', async (_title, expected, attempt) => {
    expect(await isWorthWaking(attempt)).toBe(expected)
  })
})

describe('the attempts of a day', () => {
  it('wake the database a few times for one destination', async () => {
    const answers = await times(wakesPerDestination + 1, () => ({ isProven: false, isFresh: true, at: NOW }))
    expect(answers).toEqual([...Array(wakesPerDestination).fill(true), false])
  })

  it('wake it a few times for all destinations of unpaid wallets', async () => {
    const answers = await times(wakesOfUnpaid + 1, (index) => ({ url: `${index}` }))
    expect(answers).toEqual([...Array(wakesOfUnpaid).fill(true), false])
    expect(await isWorthWaking({ url: 'soon', isFresh: true, isProven: false, at: NOW })).toBe(true)
  })

  it('are not counted when they are soon retries at a proven destination', async () => {
    const answers = await times(2 * wakesOfUnpaid, () => ({ isFresh: true, at: NOW }))
    expect(answers).toEqual(Array(2 * wakesOfUnpaid).fill(true))
    expect(await isWorthWaking({})).toBe(true)
  })
})
