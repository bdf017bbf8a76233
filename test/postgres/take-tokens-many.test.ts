import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'
import { runs } from '../support/runs.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

const database = useDatabase()
const { query } = database
beforeEach(() => query('truncate webhook_buckets'))

type Limit = { tokens: number; everyMs: number; aheadMs: number }
type Take = { count?: number; after?: Date | null; now?: Date }

/** Takes tokens. Returns in how many milliseconds from `NOW` they may be used; null if they were refused. */
async function take(
  bucket: string,
  limit: Partial<Limit>,
  { count = 1, now = NOW, after = now }: Take = {},
): Promise<number | null> {
  const [{ at }] = await query(
    `select ${API_SCHEMA}.take_tokens($1, $2, $3, $4, $5) as at`,
    ...[bucket, count, JSON.stringify(limit), after, now],
  )
  return at && at.getTime() - NOW.getTime()
}

/** A bucket as a level that rises with time. Below zero it has lent tokens that are reserved. */
function modelOf({ tokens, everyMs, aheadMs }: Limit) {
  let level = tokens
  let seenAt = 0
  return (count: number, now: number) => {
    const present = Math.min(tokens, level + (now - seenAt) / everyMs)
    const waitMs = Math.max(0, count - present) * everyMs
    if (count > tokens || waitMs > aheadMs + 1e-6) return null
    level = present - count
    seenAt = now
    return Math.round(now + waitMs)
  }
}

const limits = fc.record({
  tokens: fc.integer({ min: 1, max: 8 }),
  everyMs: fc.integer({ min: 1, max: 5_000 }),
  aheadMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
})
const takes = fc.array(
  fc.record({ passMs: fc.oneof(fc.constant(0), fc.nat(4_000)), count: fc.integer({ min: 1, max: 4 }) }),
  { minLength: 1, maxLength: 25 },
)

describe('a token bucket', () => {
  it('answers like a bucket whose level rises with time', async () => {
    const seen = { now: 0, reserved: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(limits, takes, async (limit, steps) => {
        const bucket = crypto.randomUUID()
        const model = modelOf(limit)
        let now = 0
        for (const { passMs, count } of steps) {
          now += passMs
          const expected = model(count, now)
          const at = await take(bucket, limit, { count, now: later(now) })
          expect(at).toBe(expected)
          seen[at === null ? 'refused' : at > now ? 'reserved' : 'now'] += 1
        }
      }),
      { numRuns: runs(60, 600) },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
  })

  it('never allows more in any span of time than its capacity and refill', async () => {
    await fc.assert(
      fc.asyncProperty(limits, takes, async (limit, steps) => {
        const bucket = crypto.randomUUID()
        const used: number[] = []
        let now = 0
        for (const { passMs, count } of steps) {
          now += passMs
          const at = await take(bucket, limit, { count, now: later(now) })
          if (at !== null) used.push(...Array<number>(count).fill(at))
        }
        used.sort((one, other) => one - other)
        for (const [i, from] of used.entries())
          for (const [j, to] of used.slice(i).entries())
            expect(j + 1).toBeLessThanOrEqual(limit.tokens + (to - from) / limit.everyMs + 1e-6)
      }),
      { numRuns: runs(30, 300) },
    )
  })

  it('gives each caller its own tokens when a hundred take at once', async () => {
    const limit = { tokens: 30, everyMs: 2_000, aheadMs: 60_000 }
    const taken = await Promise.all(Array.from({ length: 100 }, () => take('raced', limit)))
    const reserved = Array.from({ length: 30 }, (_, n) => (n + 1) * 2_000)
    expect(taken.filter((at) => at !== null).toSorted((one, other) => one - other)).toEqual([
      ...Array<number>(30).fill(0),
      ...reserved,
    ])
    expect(taken.filter((at) => at === null)).toHaveLength(40)
  })

  it('keeps nothing of what it has refused', async () => {
    const limit = { tokens: 2, everyMs: 1_000, aheadMs: 0 }
    expect(await take('kept', limit, { count: 3 })).toBeNull()
    expect(await query('select from webhook_buckets')).toEqual([])
    expect(await take('kept', limit, { count: 2 })).toBe(0)
    for (let n = 0; n < 5; n++) expect(await take('kept', limit)).toBeNull()
    expect(await take('kept', limit, { now: later(1_000) })).toBe(1_000)
  })

  it('answers the later one of two times, and refuses after a bucket that refused', async () => {
    const limit = { tokens: 1, everyMs: 1_000, aheadMs: 5_000 }
    expect(await take('second', limit, { after: later(3_000) })).toBe(3_000)
    expect(await take('second', limit, { after: later(3_000) })).toBe(3_000)
    expect(await take('second', limit, { after: null })).toBeNull()
    expect(await take('second', limit, { after: NOW })).toBe(2_000)
  })

  it.each(['tokens', 'everyMs', 'aheadMs'] as const)('refuses without the limit’s %s', async (name) => {
    const { [name]: _, ...limit } = { tokens: 1, everyMs: 1_000, aheadMs: 5_000 }
    expect(await take('incomplete', limit)).toBeNull()
  })
})
