import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextDaily } from '../../lib/clock/jobs.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { type Service, startService } from '../support/service.ts'
import { travelToNoon } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  // The minutes before 00:07 belong to the day before, and no job is due in the hour after noon.
  await travelToNoon(service)
})
afterAll(() => service.stop())

/** Runs every alarm until a time. @returns when the database was asked, and how often */
async function liveUntil(end: number): Promise<{ at: number; statements: number }[]> {
  const wakes: { at: number; statements: number }[] = []
  let alarm = await service.reachAlarm()
  while (alarm < end) {
    await service.clock.travelTo(alarm)
    const at = alarm
    const statements = await service.countSql(async () => {
      alarm = await service.reachAlarm()
    })
    wakes.push({ at, statements })
  }
  await service.clock.travelTo(end)
  return wakes
}

it('reads the database once a day, at 00:07 or a bit later, when nobody calls', async () => {
  const first = await liveUntil(service.clock.now() + 60_000)
  // A new Clock runs every job.
  expect(first).toHaveLength(1)
  const from = service.clock.now()
  const wakes = await liveUntil(from + 7 * DAY_MS)
  const expected = Array.from({ length: 7 }, (_, day) => nextDaily(from + day * DAY_MS) + 5 * 60_000)
  expect(wakes.map(({ at }) => at)).toEqual(expected)
  for (const { statements } of wakes) expect(statements).toBeGreaterThan(0)
})

it('runs no statement in an idle hour, for an alarm’s check, or for shallow health', async () => {
  const statements = await service.countSql(async () => {
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await service.clock.travelTo(service.clock.now() + HOUR_MS / 6)
      await service.runCron('jobs', '*/10 * * * *')
      await service.reachAlarm()
      expect((await service.call('GET', '/health')).status).toBe(200)
    }
  })
  expect(statements).toBe(0)
})
