import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  heldUntil,
  JITTER,
  MAX_ATTEMPTS,
  MAX_RETRY_AFTER_MS,
  nextStep,
  probeDelayMs,
  RETRY_DELAYS_MS,
} from '../../../lib/events/rules.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const answer = (code: number, retryAfter: string | null = null) => ({ code, retryAfter })
const first = { attempts: 1, now, jitter: 0 }

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('that is answered %i has delivered', (code) => {
    expect(nextStep(answer(code), first)).toEqual({ kind: 'delivered' })
  })

  it('that is answered 410 is the last for its webhook', () => {
    expect(nextStep(answer(410, '5'), { ...first, attempts: MAX_ATTEMPTS })).toEqual({ kind: 'gone' })
  })

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 411, 429, 500, 502, 503, 504, 599])(
    'that is answered %i is made again',
    (code) => {
      expect(nextStep(answer(code), first)).toEqual({ kind: 'retry', at: new Date(now.getTime() + 5_000) })
    },
  )

  it.each(['timeout', 'unreachable', 'url_refused'] as const)(
    'without an answer (%s) is made again',
    (failure) => {
      expect(nextStep({ failure }, first).kind).toBe('retry')
    },
  )

  it('is made ten times, after 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS }, (_, i) => {
      const step = nextStep(answer(500), { attempts: i + 1, now, jitter: 0 })
      return step.kind === 'retry' ? (step.at.getTime() - now.getTime()) / 1000 : step.kind
    })
    const [m, h] = [60, 3600]
    expect(waits).toEqual([5, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h, 'given_up'])
  })

  it('waits as the schedule has it and at most a fifth longer, or as long as it is asked to', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: RETRY_DELAYS_MS.length }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 200_000 }),
        (attempts, jitter, asked) => {
          const step = nextStep(answer(503, String(asked)), { attempts, now, jitter })
          if (step.kind !== 'retry') throw new Error(step.kind)
          const waited = step.at.getTime() - now.getTime()
          const delay = RETRY_DELAYS_MS[attempts - 1] ?? Number.NaN
          const least = Math.max(delay, Math.min(asked * 1000, MAX_RETRY_AFTER_MS))
          expect(waited).toBeGreaterThanOrEqual(least)
          expect(waited).toBeLessThanOrEqual(Math.max(Math.ceil(delay * (1 + JITTER)), least))
        },
      ),
    )
  })
})

describe('an endpoint', () => {
  const later = (ms: number) => new Date(now.getTime() + ms)
  it.each([
    ['has answered 2xx', true, 1, null],
    ['fails: until its first retry at the latest', true, 0, later(6_000)],
    ['was never proven: for five minutes from its attempt', false, 0, later(299_000)],
    ['answers 2xx for the first time', false, 1, null],
  ])('is held when it %s', (_case, isProven, succeeded, until) => {
    expect(heldUntil({ isProven, leasedAt: later(-1_000) }, { succeeded, now })).toEqual(until)
  })

  it('that fails is attempted one to five seconds after those that answer', () => {
    expect([0, 0.3, 0.5, 0.7, 0.999].map(probeDelayMs)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  })
})
