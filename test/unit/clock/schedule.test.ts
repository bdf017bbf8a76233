import { expect, it } from 'vitest'
import { isForDaily, JOBS, nextDaily, nextScheduledRun, soonest } from '../../../lib/clock/jobs.ts'
import {
  alarmOf,
  dueJobs,
  MAX_REPEATS,
  newSchedule,
  withAnswer,
  withAsked,
  withEndedLeases,
  withFailure,
  withLease,
  withoutLease,
} from '../../../lib/clock/schedule.ts'

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`)
const NOON = at('23T12:00')
const MINUTE_MS = 60_000
const quiet = { dues: {}, meanwhile: {}, leases: {}, failures: {}, repeats: {} }

it.each([
  ['23T00:06', '23T00:07'],
  ['23T00:07', '23T06:07'],
  ['23T06:08', '23T12:07'],
  ['23T17:00', '23T18:07'],
  ['23T18:07', '24T00:07'],
])('the scheduled run after %s is at %s', (now, scheduledRun) =>
  expect(nextScheduledRun(at(now))).toBe(at(scheduledRun)),
)

it.each([
  ['23T00:06', '23T00:07'],
  ['23T00:07', '24T00:07'],
  ['23T23:59', '24T00:07'],
])('the daily job run after %s is at %s', (now, run) => expect(nextDaily(at(now))).toBe(at(run)))

it.each([
  // The daily job begins by 00:12.
  ['23T10:00', '24T00:11', false],
  ['23T10:00', '24T00:12', true],
  // Perhaps committed by 00:07: that run may read the database before.
  ['23T23:58', '24T12:00', false],
  ['23T23:56', '24T00:12', true],
  ['23T23:58', '25T00:12', true],
])('work made due at %s by %s is left to the daily job run: %s', (now, by, isSo) =>
  expect(isForDaily('hires', { at: at('23T00:00'), by: at(by) }, at(now))).toBe(isSo),
)

it('combines two due times to the earlier start and the earlier deadline', () => {
  expect(soonest({ at: 1, by: 9 }, { at: 3, by: 4 })).toEqual({ at: 1, by: 4 })
  expect(soonest(undefined, { at: 3, by: 4 })).toEqual({ at: 3, by: 4 })
  expect(soonest({ at: 1, by: 9 }, undefined)).toEqual({ at: 1, by: 9 })
  expect(soonest(undefined, undefined)).toBeUndefined()
})

it('runs every job in order, a second after the Clock is new', () => {
  const schedule = newSchedule(NOON)
  expect(dueJobs(schedule, NOON)).toEqual(JOBS)
  expect(alarmOf(schedule, NOON)).toBe(NOON + 1_000)
})

it('sets the alarm as late as all tolerances allow, then runs all due kinds', () => {
  let schedule = withAsked(quiet, 'looks', { at: NOON, by: NOON + 5 * MINUTE_MS }, false)
  schedule = withAsked(schedule, 'hires', { at: NOON + MINUTE_MS, by: NOON + 11 * MINUTE_MS }, false)
  schedule = withAsked(schedule, 'positions', { at: NOON + 6 * MINUTE_MS, by: NOON + 9 * MINUTE_MS }, false)
  expect(alarmOf(schedule, NOON)).toBe(NOON + 5 * MINUTE_MS)
  expect(dueJobs(schedule, NOON + 5 * MINUTE_MS)).toEqual(['hires', 'looks', 'deliveries'])
})

it('changes nothing when a request is not earlier', () => {
  const schedule = withAsked(quiet, 'hires', { at: NOON, by: NOON + 1 }, false)
  expect(withAsked(schedule, 'hires', { at: NOON, by: NOON + 1 }, false)).toBe(schedule)
  expect(withAsked(schedule, 'hires', { at: NOON - 1, by: NOON + 1 }, false)).not.toBe(schedule)
  expect(withAsked(schedule, 'hires', { at: NOON + 1, by: NOON }, false)).not.toBe(schedule)
})

it('repeats a failed job after 1, 5, 15 and then 60 minutes', () => {
  let schedule = newSchedule(NOON)
  for (const minutes of [1, 5, 15, 60, 60]) {
    schedule = withFailure(schedule, 'settlement', NOON)
    expect(schedule.dues.settlement).toEqual({
      at: NOON + minutes * MINUTE_MS,
      by: NOON + minutes * MINUTE_MS,
    })
  }
  schedule = withFailure(withAnswer(schedule, 'settlement', undefined, NOON), 'settlement', NOON)
  expect(schedule.dues.settlement?.at).toBe(NOON + MINUTE_MS)
})

it('pauses a kind for 15 minutes when it is due at once 100 times in a row', () => {
  const atOnce = { at: NOON, by: NOON }
  let schedule: ReturnType<typeof newSchedule> = quiet
  const answer = () => {
    schedule = withAnswer(schedule, 'hires', atOnce, NOON)
    return schedule.dues.hires?.at
  }
  for (let i = 1; i < MAX_REPEATS; i++) expect(answer()).toBe(NOON)
  expect(answer()).toBe(NOON + 15 * MINUTE_MS)
  expect(answer()).toBe(NOON)
  schedule = withAnswer(schedule, 'hires', undefined, NOON)
  expect(schedule.repeats).toEqual({})
})

it('runs with the daily job every kind that is not waiting after a failure', () => {
  const daily = { at: NOON, by: NOON }
  const schedule = withFailure({ ...quiet, dues: { daily } }, 'looks', NOON)
  expect(dueJobs(schedule, NOON)).toEqual(JOBS.filter((job) => job !== 'looks'))
  expect(dueJobs(schedule, NOON - 1)).toEqual([])
})

it('runs nothing at an alarm while all kinds can wait', () => {
  const dues = {
    deliveries: { at: NOON, by: NOON + MINUTE_MS },
    hires: { at: NOON, by: NOON + 2 * MINUTE_MS },
  }
  const schedule = { ...quiet, dues }
  expect(dueJobs(schedule, NOON + MINUTE_MS - 1)).toEqual([])
  expect(dueJobs(schedule, NOON + MINUTE_MS)).toEqual(['hires', 'deliveries'])
})

it('makes leased deliveries due at the end of the lease, unless the run ended', () => {
  const begun = withLease(withLease(quiet, 'one', NOON + MINUTE_MS), 'other', NOON + 2 * MINUTE_MS)
  expect(alarmOf(begun, NOON)).toBe(NOON + MINUTE_MS)
  expect(withEndedLeases(begun, NOON)).toBe(begun)
  const ended = withoutLease(begun, 'one')
  expect(alarmOf(ended, NOON)).toBe(NOON + 2 * MINUTE_MS)
  expect(dueJobs(withEndedLeases(ended, NOON + MINUTE_MS), NOON + MINUTE_MS)).toEqual([])
  const lost = withEndedLeases(ended, NOON + 2 * MINUTE_MS)
  expect(lost.leases).toEqual({})
  expect(dueJobs(lost, NOON + 2 * MINUTE_MS)).toEqual(['deliveries'])
})
