import { expect, it } from 'vitest'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'

const { query } = useDatabase()

/** Counts a wake-up on a day of November 2026, of which two are allowed. */
async function count(day: number): Promise<boolean> {
  const begins = new Date(Date.UTC(2026, 10, day))
  const [{ allowed }] = await query(`select ${API_SCHEMA}.count_wake('a counter', $1, 2) as allowed`, begins)
  return allowed
}

it('allows so many wake-ups a day, and as many on the next day', async () => {
  for (const day of [21, 22]) {
    expect([await count(day), await count(day)]).toEqual([true, true])
    expect([await count(day), await count(day)]).toEqual([false, false])
  }
  expect(await count(21)).toBe(false)
})

it('allows no more when a hundred are counted at once', async () => {
  const allowed = await Promise.all(Array.from({ length: 100 }, () => count(23)))
  expect(allowed.filter(Boolean)).toHaveLength(2)
})
