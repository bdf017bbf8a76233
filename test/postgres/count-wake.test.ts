import { expect, it } from 'vitest'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'

const { query } = useDatabase()

/** Counts a wake-up on a day of November 2026, of which two are allowed. */
async function count(counter: string, day: number): Promise<boolean> {
  const begins = new Date(Date.UTC(2026, 10, day))
  const [{ allowed }] = await query(`select ${API_SCHEMA}.count_wake($1, $2, 2) as allowed`, counter, begins)
  return allowed
}

it('allows so many wake-ups a day, and as many on the next day', async () => {
  for (const day of [21, 22]) {
    expect([await count('daily', day), await count('daily', day)]).toEqual([true, true])
    expect([await count('daily', day), await count('daily', day)]).toEqual([false, false])
  }
  expect(await count('daily', 21)).toBe(false)
})

it('allows no more when a hundred are counted at once', async () => {
  const allowed = await Promise.all(Array.from({ length: 100 }, () => count('raced', 23)))
  expect(allowed.filter(Boolean)).toHaveLength(2)
})
