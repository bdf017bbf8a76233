import { afterEach, beforeEach, expect, it } from 'vitest'
import { JOBS as ALL_JOBS, type Due, type Job } from '../../lib/clock/jobs.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { startClock } from '../support/clock-service.ts'

/** All but the one that runs along with any. */
const JOBS = ALL_JOBS.filter((job) => job !== 'deliveries')

let service: Awaited<ReturnType<typeof startClock>>
beforeEach(async () => {
  service = await startClock()
})
afterEach(() => service.stop())

const inMs = (ms: number): Due => ({ at: service.clock.now() + ms, by: service.clock.now() + ms })
const tomorrow = () => inMs(24 * HOUR_MS)
const wakeBy = (job: Job, due: Due) => service.call('wakeBy', job, due)
/** Answers that only the daily job is due, tomorrow. */
const daily = (asked: string) => (asked === 'daily' ? tomorrow() : null)
const begun = (jobRuns: string[]) => expect.poll(() => service.jobRuns()).toEqual(jobRuns)
/** Waits until these jobs have run, and the Clock rests. */
const until = (jobRuns: string[]) =>
  expect
    .poll(() => ({ rests: service.rests(), jobRuns: service.jobRuns() }))
    .toEqual({ rests: true, jobRuns })
/** The same for alarms that have only tried to wake the database. */
const untilWoken = (wakes: number) =>
  expect.poll(() => ({ rests: service.rests(), wakes: service.wakes() })).toEqual({ rests: true, wakes })
/** How far the alarm is ahead: it is set a moment after the Clock has asked whether it may. */
const aheadMs = async () => Number(await service.call('alarmAt')) - service.clock.now()

/** A Clock that has had its first alarm. */
async function settle(): Promise<void> {
  service.onAsked(daily)
  await service.call('check')
  await until(JOBS)
  await expect.poll(aheadMs).toBeGreaterThan(HOUR_MS)
}

it('runs every job once after the first deployment, and then sleeps until the daily', async () => {
  service.onAsked(daily)
  expect(await service.call('alarmAt')).toBeNull()
  await service.call('check')
  await service.call('check')
  await until(JOBS)
  await expect.poll(aheadMs).toBeGreaterThan(23 * HOUR_MS)
  expect(service.wakes()).toBe(1)
})

it('moved time brings the alarm: what is due runs, and nothing else', async () => {
  await settle()
  await wakeBy('hires', inMs(3 * HOUR_MS))
  await wakeBy('looks', inMs(5 * HOUR_MS))
  await service.clock.travelTo(service.clock.now() + 4 * HOUR_MS)
  await until([...JOBS, 'hires'])
  await expect.poll(aheadMs).toBeGreaterThan(0.9 * HOUR_MS)
  expect(await aheadMs()).toBeLessThan(1.1 * HOUR_MS)
})

it('does not postpone the alarm when it is scheduled all the time', async () => {
  await settle()
  await wakeBy('settlement', inMs(1_500))
  const stopAt = Date.now() + 20_000
  while (service.jobRuns().length === JOBS.length && Date.now() < stopAt) await wakeBy('hires', inMs(1_500))
  // An alarm that comes late finds the first of those due, too.
  await expect.poll(() => service.jobRuns().slice(0, JOBS.length + 1)).toEqual([...JOBS, 'settlement'])
})

it('keeps times scheduled during a job, for this and other jobs', async () => {
  await settle()
  let answer = (_due: null) => {}
  const held = new Promise<null>((resolve) => {
    answer = resolve
  })
  let times = 0
  service.onAsked((asked) => (asked === 'verifications' && times++ === 0 ? held : null))
  await wakeBy('verifications', inMs(0))
  await begun([...JOBS, 'verifications'])
  const due = inMs(HOUR_MS)
  await wakeBy('verifications', due)
  await wakeBy('hires', due)
  // Two alarms: the second one leaves the first one's jobs alone.
  await service.call('alarm')
  answer(null)
  await until([...JOBS, 'verifications'])
  await service.clock.travelTo(due.at)
  await until([...JOBS, 'verifications', 'hires', 'verifications'])
  expect(service.wakes()).toBe(3)
})

it('runs an alarm again that a deployment cut off, with all scheduled times', async () => {
  await settle()
  service.onAsked((asked) => (asked === 'hires' ? new Promise(() => {}) : daily(asked)))
  for (const job of ['settlement', 'hires', 'looks'] as const) await wakeBy(job, inMs(0))
  await begun([...JOBS, 'settlement', 'hires'])
  await wakeBy('hires', inMs(0))
  await service.restart()
  service.onAsked(daily)
  await service.clock.travelTo(service.clock.now() + 60_000)
  await until([...JOBS, 'settlement', 'hires', 'hires', 'looks'])
})

it('keeps its times over a restart', async () => {
  await settle()
  await wakeBy('hires', inMs(3 * HOUR_MS))
  await service.restart()
  await service.clock.travelTo(service.clock.now() + 3 * HOUR_MS)
  await until([...JOBS, 'hires'])
})

it('runs an alarm again when its handler throws', async () => {
  await settle()
  let sets = 0
  // The first is for what is asked, the second the alarm's first act.
  service.onAsked((asked) => (asked === 'set' && ++sets === 2 ? 'fails' : null))
  await wakeBy('hires', inMs(0))
  await until([...JOBS, 'hires'])
  await expect.poll(() => sets).toBe(4)
})

it('a lost alarm is set again by the ten-minute check', async () => {
  await settle()
  await wakeBy('hires', inMs(1_000))
  await service.call('loseAlarm')
  await service.call('check')
  await until([...JOBS, 'hires'])
})

it('runs a failed job again after a minute, and the others meanwhile', async () => {
  await settle()
  service.onAsked((asked) => (asked === 'settlement' ? 'fails' : null))
  await wakeBy('settlement', inMs(0))
  await wakeBy('looks', inMs(0))
  await until([...JOBS, 'settlement', 'looks'])
  await expect.poll(() => JSON.stringify(service.logs.lines)).toContain('"kind":"settlement"')
  await service.clock.travelTo(service.clock.now() + 61_000)
  await until([...JOBS, 'settlement', 'looks', 'settlement'])
  await expect.poll(aheadMs).toBeGreaterThan(200_000)
})

it('retries after 1, 5, 15 and 60 minutes when the database is down for an hour', async () => {
  await settle()
  service.onAsked((asked) => (asked === 'wake' ? 'fails' : null))
  await wakeBy('settlement', inMs(0))
  await untilWoken(2)
  for (const [index, minutes] of [1, 5, 15].entries()) {
    await service.clock.travelTo(service.clock.now() + minutes * 60_000)
    await untilWoken(3 + index)
  }
  expect(service.jobRuns()).toEqual(JOBS)
  service.onAsked(daily)
  await service.clock.travelTo(service.clock.now() + HOUR_MS)
  await until([...JOBS, 'settlement'])
})

it('gives up a hanging job after five minutes, and runs the others', async () => {
  await settle()
  await service.call('hurry', 60)
  service.onAsked((asked) => (asked === 'settlement' ? new Promise(() => {}) : null))
  await wakeBy('settlement', inMs(0))
  await wakeBy('looks', inMs(0))
  await until([...JOBS, 'settlement', 'looks'])
})

it('refuses an invalid time', async () => {
  await settle()
  const before = await service.call('alarmAt')
  for (const at of [Number.NaN, Infinity])
    expect(await wakeBy('hires', { at, by: at })).toHaveProperty('error')
  expect(await service.call('alarmAt')).toBe(before)
})
