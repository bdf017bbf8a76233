import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../lib/time.ts'

const now = new Date('2026-11-21T12:00:00Z')
const MAX_MS = 24 * 3_600_000

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['99999999999999999999', MAX_MS],
    ['Mon, 01 Jan 2046 00:00:00 GMT', MAX_MS],
    ['-5', 0],
    ['soon', 0],
    ['1e3 s', 0],
    ['', 0],
    [null, 0],
  ])('%j asks for %i ms', (header, ms) => {
    expect(retryAfterMs(header, now, MAX_MS)).toBe(ms)
  })

  it('is between 0 and the maximum for any text', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = retryAfterMs(header, now, MAX_MS)
        expect(ms >= 0 && ms <= MAX_MS).toBe(true)
      }),
    )
  })
})
