import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextScheduledRun } from '../../lib/clock/jobs.ts'
import { type Service, startService } from '../support/service.ts'
import { openInbox, reachAlarmOf } from '../support/webhooks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
/** Instead of five seconds, which may have passed before a busy machine looks. */
const FIRST_RETRY_MS = MINUTE
/** Instead of five days, in which ten attempts and the day after them may not fit. */
const FAILING_LIMIT_MS = 30 * DAY

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  const constants = { jobs: { FIRST_RETRY_MS, FAILING_LIMIT_MS } }
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'], constants })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

const travel = (ms: number) => service.clock.travelTo(service.clock.now() + ms)

it('tries a failing endpoint ten times over three to five days; a replay starts again', async () => {
  const owner = await inbox.createProven(() => new Response('x'.repeat(100_000), { status: 503 }))
  await owner.hire()
  const waits: number[] = []
  const late: number[] = []
  for (let attempt = 1; attempt < 10; attempt++) {
    const delivery = await owner.untilAttempted(attempt)
    expect(delivery).toMatchObject({ status: 'pending', lastResponseCode: 503 })
    const due = Date.parse(String(delivery.nextAttemptAt))
    waits.push((due - Date.parse(String(delivery.lastAttemptAt))) / SECOND)
    // By the Clock's own alarms: none of those before it is due makes the attempt.
    await service.clock.travelTo(due - 4 * SECOND)
    await service.reachAlarm()
    expect(inbox.of(owner.url)).toHaveLength(1 + attempt)
    const at = await reachAlarmOf(service, { at: due, by: nextScheduledRun(due) })
    late.push((at - due) / SECOND)
    await inbox.until(owner.url, 1 + attempt + 1)
  }
  const [m, h] = [60, 3600]
  for (const [i, least] of [m, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h].entries()) {
    expect(waits[i]).toBeGreaterThanOrEqual(least)
    expect(waits[i]).toBeLessThan(least * 1.2 + 30)
  }
  // Those up to two hours wake the database; the others run at the latest with a scheduled run.
  expect(Math.max(...late.slice(0, 2))).toBeLessThan(5)
  expect(Math.max(...late.slice(2, 4))).toBeLessThan(65)
  expect(Math.max(...late)).toBeLessThanOrEqual(6 * h)
  const [failed] = await owner.untilStates('failed', 'delivered')
  expect(failed).toMatchObject({ attempts: 10, lastResponseCode: 503 })
  expect(failed).not.toHaveProperty('nextAttemptAt')
  await travel(DAY)
  await service.reachAlarm()
  await inbox.drained()
  expect(inbox.of(owner.url)).toHaveLength(11)
  const retried = inbox.of(owner.url).slice(1)
  expect(new Set(retried.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed?.eventId]))

  expect((await owner.call('POST', `/events/${failed?.eventId}/replay`)).status).toBe(202)
  await inbox.until(owner.url, 12)
  expect(await owner.untilAttempted(1)).toMatchObject({ eventId: failed?.eventId, status: 'pending' })
})
