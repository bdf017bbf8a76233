import { expect, it } from 'vitest'
import { isForDaily, KINDS, nextDaily, nextTick, soonest } from '../../../lib/clock/kinds.ts'
import {
  alarmOf,
  dueKinds,
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
])('the tick after %s is at %s', (now, tick) => expect(nextTick(at(now))).toBe(at(tick)))

it.each([
  ['23T00:06', '23T00:07'],
  ['23T00:07', '24T00:07'],
  ['23T23:59', '24T00:07'],
])('the daily round after %s is at %s', (now, round) => expect(nextDaily(at(now))).toBe(at(round)))

it.each([
  // The daily round begins by 00:12.
  ['23T10:00', '24T00:11', false],
  ['23T10:00', '24T00:12', true],
  // Committed by 00:07, perhaps: that round may read the database before.
  ['23T23:58', '24T12:00', false],
  ['23T23:56', '24T00:12', true],
  ['23T23:58', '25T00:12', true],
])('of what a write of %s makes due by %s the Clock needs no word: %s', (now, by, isSo) =>
  expect(isForDaily({ at: at('23T00:00'), by: at(by) }, at(now))).toBe(isSo),
)

it('what serves two begins when the earlier is due and ends in time for both', () => {
  expect(soonest({ at: 1, by: 9 }, { at: 3, by: 4 })).toEqual({ at: 1, by: 4 })
  expect(soonest(undefined, { at: 3, by: 4 })).toEqual({ at: 3, by: 4 })
  expect(soonest({ at: 1, by: 9 }, undefined)).toEqual({ at: 1, by: 9 })
  expect(soonest(undefined, undefined)).toBeUndefined()
})

it('a new Clock runs every round, in their order, a second later', () => {
  const schedule = newSchedule(NOON)
  expect(dueKinds(schedule, NOON)).toEqual(KINDS)
  expect(alarmOf(schedule, NOON)).toBe(NOON + 1_000)
})

it('the alarm comes as late as is on time for all, and then every kind that is due runs', () => {
  let schedule = withAsked(quiet, 'looks', { at: NOON, by: NOON + 5 * MINUTE_MS }, false)
  schedule = withAsked(schedule, 'hires', { at: NOON + MINUTE_MS, by: NOON + 11 * MINUTE_MS }, false)
  schedule = withAsked(schedule, 'positions', { at: NOON + 6 * MINUTE_MS, by: NOON + 9 * MINUTE_MS }, false)
  expect(alarmOf(schedule, NOON)).toBe(NOON + 5 * MINUTE_MS)
  expect(dueKinds(schedule, NOON + 5 * MINUTE_MS)).toEqual(['hires', 'looks', 'deliveries'])
})

it('what is due no earlier than what is known changes nothing', () => {
  const schedule = withAsked(quiet, 'hires', { at: NOON, by: NOON + 1 }, false)
  expect(withAsked(schedule, 'hires', { at: NOON, by: NOON + 1 }, false)).toBe(schedule)
  expect(withAsked(schedule, 'hires', { at: NOON - 1, by: NOON + 1 }, false)).not.toBe(schedule)
  expect(withAsked(schedule, 'hires', { at: NOON + 1, by: NOON }, false)).not.toBe(schedule)
})

it('a round that fails comes again after 1, 5, 15 and then 60 minutes, and at once after it has succeeded', () => {
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

it('a kind that is due at once a hundred times in a row waits a quarter of an hour, and then begins anew', () => {
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

it('the daily round runs every kind but those that wait after a failure', () => {
  const daily = { at: NOON, by: NOON }
  const schedule = withFailure({ ...quiet, dues: { daily } }, 'looks', NOON)
  expect(dueKinds(schedule, NOON)).toEqual(KINDS.filter((kind) => kind !== 'looks'))
  expect(dueKinds(schedule, NOON - 1)).toEqual([])
})

it('an alarm for nothing wakes no kind, be it due, while all may wait', () => {
  const dues = {
    deliveries: { at: NOON, by: NOON + MINUTE_MS },
    hires: { at: NOON, by: NOON + 2 * MINUTE_MS },
  }
  const schedule = { ...quiet, dues }
  expect(dueKinds(schedule, NOON + MINUTE_MS - 1)).toEqual([])
  expect(dueKinds(schedule, NOON + MINUTE_MS)).toEqual(['hires', 'deliveries'])
})

it('what a run of deliveries has leased is due when the lease ends, unless the run has ended', () => {
  const begun = withLease(withLease(quiet, 'one', NOON + MINUTE_MS), 'other', NOON + 2 * MINUTE_MS)
  expect(alarmOf(begun, NOON)).toBe(NOON + MINUTE_MS)
  expect(withEndedLeases(begun, NOON)).toBe(begun)
  const ended = withoutLease(begun, 'one')
  expect(alarmOf(ended, NOON)).toBe(NOON + 2 * MINUTE_MS)
  expect(dueKinds(withEndedLeases(ended, NOON + MINUTE_MS), NOON + MINUTE_MS)).toEqual([])
  const lost = withEndedLeases(ended, NOON + 2 * MINUTE_MS)
  expect(lost.leases).toEqual({})
  expect(dueKinds(lost, NOON + 2 * MINUTE_MS)).toEqual(['deliveries'])
})
