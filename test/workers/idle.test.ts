import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextDaily } from '../../lib/clock/jobs.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { createAgent, createPayer } from '../support/payer.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { ONE, travelToNoon } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  // The minutes before 00:07 belong to the day before, and no job is due in the hour after noon.
  await travelToNoon(service)
})
afterAll(() => service.stop())

/** The cron of the Worker `work` (wrangler.toml), which reports to the Clock alone. */
const WORK_REPORTS_MS = 10 * 60_000
const DAY_MINUTES = 24 * 60

/**
 * Runs every alarm until a time.
 * @param reportEvery the time between two reports of `work` to the Clock
 * @returns when the database was asked, and how often
 */
async function liveUntil(end: number, reportEvery = Infinity): Promise<{ at: number; statements: number }[]> {
  const wakes: { at: number; statements: number }[] = []
  let alarm = await service.reachAlarm()
  for (let report = service.clock.now() + reportEvery; Math.min(alarm, report) < end; ) {
    const at = Math.min(alarm, report)
    if (at > service.clock.now()) await service.clock.travelTo(at)
    const statements = await service.countSql(async () => {
      if (at === report) await service.runCron('work', '*/10 * * * *')
      alarm = await service.reachAlarm()
    })
    if (at === report) report += reportEvery
    if (statements > 0) wakes.push({ at, statements })
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

it('wakes the database twice for a funded job, and once for orders nobody accepts', async () => {
  await travelToNoon(service)
  const { owner, agentId } = await createAgent(service)
  const terms = { body: { minPrice: ONE, workMinutes: 60, judges: ['none'] } }
  await owner.call('PUT', `/agents/${agentId}/job-terms`, terms)
  const hirer = await createPayer(service)
  await hirer.land(hirer.post('jobs/refund-account'))
  const order = async () => {
    const reference = crypto.randomUUID()
    const body = { agentId, title: 'Translate', brief: 'A page', price: ONE, reference }
    return (await hirer.call('POST', '/jobs', { body })).body
  }
  const [job] = [await order(), await order(), await order()]
  const { id, termsHash } = job as Body
  /** Lives on for a time. @returns the minutes after which the database was woken, but for the daily runs */
  const wakesFor = async (ms: number) => {
    const from = service.clock.now()
    const wakes = await liveUntil(from + ms, WORK_REPORTS_MS)
    return wakes
      .filter(({ at }) => at % DAY_MS > 30 * 60_000)
      .map(({ at }) => Math.round((at - from) / 60_000))
  }
  expect(await wakesFor(HOUR_MS)).toEqual([])
  await owner.call('POST', `/jobs/${id}/accept`, { body: { termsHash } })
  expect(await wakesFor(HOUR_MS)).toEqual([])
  expect((await hirer.relay(await hirer.post('jobs/fund', { jobId: id }))).status).toBe(200)
  // It is still awake when the funding is confirmed. An hour later the Clock learns of the deadline.
  expect(await wakesFor(HOUR_MS * 4)).toEqual([0, 65])
  expect((await owner.call('POST', `/jobs/${id}/delivery`, { body: { text: 'A page' } })).status).toBe(200)
  // The orders' time is over at noon of the third day, and the run at 12:07 settles them. The silent hirer's
  // is over at 18:00.
  expect(await wakesFor(4 * DAY_MS)).toEqual([3 * DAY_MINUTES - 6 * 60 + 12, 3 * DAY_MINUTES + 5])
  await hirer.signInAgain()
  expect((await hirer.call('GET', `/jobs/${id}`)).body).toMatchObject({ endReason: 'review_time_over' })
})
