import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JITTER, MAX_ATTEMPTS, MAX_RETRY_AFTER_MS, RETRY_DELAYS_MS } from '../../../lib/events/limits.ts'
import { heldUntil, nextStep, probeDelayMs } from '../../../lib/events/rules.ts'

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
  const later = (ms: number) => new Date(now.getTime() + ms)
  const [ok, failed, timeout] = [answer(204), answer(500), { failure: 'timeout' as const }]
  it.each([
    ['not when it has answered 2xx', 'proven', [ok, failed], null],
    ['until its first retry at the latest when it fails', 'proven', [failed, timeout], later(6_000)],
    ['for its pause when it is new and fails', 'new', [failed], later(299_000)],
    ['not when it answers 2xx for the first time', 'new', [ok], null],
    ['not when it is unconfirmed and answers 2xx', 'unconfirmed', [ok], null],
    ['for a pause when it is unconfirmed and fails', 'unconfirmed', [failed], later(6_000)],
    ['as long as it asks', 'proven', [answer(503, '3600')], later(3_600_000)],
    [
      'as long as it asks, whatever else it has answered',
      'proven',
      [ok, answer(429, '60'), ok],
      later(60_000),
    ],
    ['no shorter than its pause, if it asks for less', 'proven', [answer(429, '1')], later(6_000)],
    ['for its pause, if it is new and asks for less', 'new', [answer(429, '9')], later(299_000)],
    ['for a day at most', 'new', [answer(503, '999999')], later(MAX_RETRY_AFTER_MS)],
    ['for its pause, if it asks with another code', 'proven', [answer(500, '3600')], later(6_000)],
  ] as const)('is paused %s', (_case, proof, results, until) => {
    const target = { proof, heldUntil: proof === 'new' ? later(299_000) : null }
    expect(heldUntil(target, { results: [...results], now })).toEqual(until)
  })

  it('is attempted one to five seconds after those that answer when it fails', () => {
    expect([0, 0.3, 0.5, 0.7, 0.999].map(probeDelayMs)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  })
})
