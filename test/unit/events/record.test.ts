import { expect, it, vi } from 'vitest'
import { notifierOf, notifyLive } from '../../../lib/events/outbox/notify.ts'
import { attemptBy } from '../../../lib/events/sending/attempt-by.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

it.each([
  ['at its time, when it is urgent and soon', later(360), true, later(360)],
  ['within a minute, when it is urgent and not soon', later(361), true, later(421)],
  ['with the next scheduled run, when it is not urgent', later(6), false, later(7 * 60)],
  ['with the scheduled run after it is due', later(8 * 60), false, new Date('2026-11-21T18:07:00.000Z')],
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

it('notifies the live Worker of each wallet once, at most 500 in a call', async () => {
  const calls: string[][] = []
  const LIVE = { nudge: async (wallets: string[]) => void calls.push(wallets) }
  const wallets = Array.from({ length: 1_001 }, (_, n) => `wallet ${n}`)
  const work: Promise<unknown>[] = []
  notifyLive({ LIVE }, (some) => work.push(some), ['an-endpoint', ...wallets, 'wallet 0'])
  await Promise.all(work)
  expect(calls.map(({ length }) => length)).toEqual([500, 500, 1])
  expect(calls.flat()).toEqual(wallets)
})
