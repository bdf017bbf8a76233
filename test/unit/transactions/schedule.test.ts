import { expect, it } from 'vitest'
import { recordThenSchedule } from '../../../lib/transactions/relay/schedule.ts'

const START = Date.parse('2026-11-22T10:00:00Z')

it('schedules a status check five seconds after the transaction was recorded', async () => {
  let now = START
  const order: unknown[] = []
  const record = async () => {
    now += 7_000
    return 'recorded'
  }
  const scheduleOrFail = async (_job: string, at: Date) => {
    order.push(at.getTime() - START)
  }
  const recorded = recordThenSchedule({ clock: () => new Date(now), scheduleOrFail }, async () => {
    // A settlement job that runs now sees nothing of it, and answers without it.
    expect(order).toEqual([])
    return record()
  })
  expect(await recorded).toBe('recorded')
  expect(order).toEqual([12_000])
})

it('fails when the check can not be scheduled, though the transaction was recorded', async () => {
  const scheduleOrFail = () => Promise.reject(new Error('no Clock'))
  const deps = { clock: () => new Date(START), scheduleOrFail }
  await expect(recordThenSchedule(deps, async () => 'recorded')).rejects.toThrow('no Clock')
})

it('schedules nothing when the transaction was not recorded', async () => {
  const scheduleOrFail = () => Promise.reject(new Error('announced'))
  const deps = { clock: () => new Date(START), scheduleOrFail }
  const refused = recordThenSchedule(deps, () => Promise.reject(new Error('refused')))
  await expect(refused).rejects.toThrow('refused')
})
