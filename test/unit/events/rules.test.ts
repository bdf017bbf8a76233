import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JITTER, MAX_ATTEMPTS, MAX_RETRY_AFTER_MS, RETRY_DELAYS_MS } from '../../../lib/events/limits.ts'
import { nextStep, pauseAskedMs, probeDelayMs } from '../../../lib/events/rules.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const answer = (code: number, retryAfter: string | null = null) => ({ code, retryAfter })
const first = { proof: 'proven' as const, attempts: 1, now, jitter: 0 }

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('delivers when it is answered %i', (code) => {
    expect(nextStep(answer(code), first)).toEqual({ kind: 'delivered' })
  })

  it('of an event at an unconfirmed destination is the last, with any answer', () => {
    const unconfirmed = { ...first, proof: 'unconfirmed' as const }
    expect(nextStep(answer(500), unconfirmed)).toEqual({ kind: 'given_up' })
    expect(nextStep(answer(204), unconfirmed)).toEqual({ kind: 'delivered' })
    expect(nextStep(answer(410), unconfirmed)).toEqual({ kind: 'gone' })
  })

  it('is the last for its webhook when it is answered 410', () => {
    expect(nextStep(answer(410, '5'), { ...first, attempts: MAX_ATTEMPTS })).toEqual({ kind: 'gone' })
  })

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 411, 429, 500, 502, 503, 504, 599])(
    'is made again when it is answered %i',
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
      const step = nextStep(answer(500), { ...first, attempts: i + 1 })
      return step.kind === 'retry' ? (step.at.getTime() - now.getTime()) / 1000 : step.kind
    })
    const [m, h] = [60, 3600]
    expect(waits).toEqual([5, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h, 'given_up'])
  })

  it('is not made again before its destination’s pause is over', () => {
    const until = (ms: number) => ({ ...first, pausedUntil: new Date(now.getTime() + ms) })
    const at = (ms: number) => ({ kind: 'retry', at: new Date(now.getTime() + ms) })
    expect(nextStep(answer(500), until(4_000))).toEqual(at(5_000))
    expect(nextStep(answer(500), until(300_000))).toEqual(at(300_000))
  })

  it('waits as scheduled plus at most a fifth, or as long as the endpoint asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: RETRY_DELAYS_MS.length }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 200_000 }),
        (attempts, jitter, asked) => {
          const step = nextStep(answer(503, String(asked)), { ...first, attempts, jitter })
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
  it.each([
    ['by 429 and 503 alone', [answer(429, '60'), answer(503, '3600'), answer(500, '60')], [60, 3_600, 0]],
    ['for a day at most', [answer(503, '999999')], [86_400]],
    ['not without an answer', [{ failure: 'timeout' as const }, answer(204)], [0, 0]],
  ])('asks for a pause %s', (_case, answers, seconds) => {
    expect(answers.map((one) => pauseAskedMs(one, now) / 1_000)).toEqual(seconds)
  })

  it('is attempted one to five seconds after those that answer when it fails', () => {
    expect([0, 0.3, 0.5, 0.7, 0.999].map(probeDelayMs)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  })
})
