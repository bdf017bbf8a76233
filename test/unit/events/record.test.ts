import { expect, it, vi } from 'vitest'
import { notifierOf } from '../../../lib/events/outbox/notify.ts'
import { attemptBy } from '../../../lib/events/sending/attempt-by.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

it.each([
  ['at its time, when it is awaited and soon', later(360), true, later(360)],
  ['within a minute, when it is awaited and not soon', later(361), true, later(421)],
  ['with the next tick, when it is not awaited', later(6), false, later(7 * 60)],
  ['with the tick after it is due', later(8 * 60), false, new Date('2026-11-21T18:07:00.000Z')],
])('an attempt is made %s', (_case, at, isUrgent, by) => {
  expect(attemptBy(at, { now, isUrgent })).toEqual(by)
})

it('schedules a message on the Clock when the queue does not take it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const schedule = vi.fn()
  const work: Promise<unknown>[] = []
  const send = (sendBatch: () => Promise<void>) =>
    notifierOf({ DELIVERIES: { sendBatch } } as never, (some) => work.push(some), { schedule, now })([
      'an-endpoint',
    ])
  send(async () => {})
  await Promise.all(work)
  expect(schedule).not.toHaveBeenCalled()
  send(() => Promise.reject(new Error('full')))
  await Promise.all(work)
  expect(schedule.mock.calls).toEqual([['deliveries', now]])
  vi.restoreAllMocks()
})
