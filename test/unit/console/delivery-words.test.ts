import { describe, expect, it } from 'vitest'
import { nextAttemptOf, outcomeOf } from '../../../lib/console/views/developer/delivery-words.ts'

it.each([
  [{}, ''],
  [{ lastResponseCode: 500 }, 'HTTP 500'],
  [{ lastResponseCode: 521 }, 'could not connect'],
  [{ lastResponseCode: 530 }, 'host not found'],
  [{ lastFailure: 'timeout' as const }, 'timed out'],
])('names the outcome of %j', (delivery, words) => {
  expect(outcomeOf(delivery)).toBe(words)
})

describe('nextAttemptOf', () => {
  const now = Date.parse('2026-11-29T10:00:00.000Z')
  const [soon, later] = ['2026-11-29T10:00:05.000Z', '2026-11-29T10:05:00.000Z']
  const pending = { status: 'pending' as const, attempts: 1, nextAttemptAt: soon }

  it('is at the end of the pause, and says what to do when the server never answered', () => {
    const next = nextAttemptOf(pending, { proof: 'new', failingSince: soon, pausedUntil: later }, now)
    expect(next).toEqual({ at: Date.parse(later), why: expect.stringContaining('“Send test event” tries') })
  })

  it.each([
    [{ proof: 'proven' as const, failingSince: soon, pausedUntil: later }, later, 'Your server failed'],
    [{ proof: 'unconfirmed' as const, pausedUntil: later }, later, 'not confirmed'],
    [{ proof: 'proven' as const, pausedUntil: later }, later, 'limit'],
    [{ proof: 'proven' as const }, soon, 'The last attempt failed.'],
    [{ proof: 'proven' as const, pausedUntil: '2026-11-29T09:00:00.000Z' }, soon, 'The last attempt failed.'],
  ])('at %j is %s, since %s', (endpoint, at, why) => {
    const next = nextAttemptOf(pending, endpoint, now)
    expect(next).toEqual({ at: Date.parse(at), why: expect.stringContaining(why) })
  })

  it('has no time while it is being sent, and is undefined when nothing is left to send', () => {
    const due = { ...pending, nextAttemptAt: '2026-11-29T09:59:00.000Z' }
    expect(nextAttemptOf(due, { proof: 'proven' }, now)).toEqual({ at: undefined, why: 'It is being sent.' })
    expect(nextAttemptOf({ ...pending, status: 'delivered' }, { proof: 'proven' }, now)).toBeUndefined()
  })
})
