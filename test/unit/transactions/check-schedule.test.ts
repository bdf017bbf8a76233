import { expect, it } from 'vitest'
import {
  exponentialBackoff,
  firstCheck,
  nextCheck,
} from '../../../lib/transactions/confirmation/check-schedule.ts'

const SIGNED_AT = new Date('2026-11-22T10:00:00Z')
const later = (ms: number) => new Date(SIGNED_AT.getTime() + ms)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

it('checks a transaction after 5, 15 and 30 s, then every minute, then more rarely', () => {
  const checks = [firstCheck(SIGNED_AT)]
  for (let now = checks[0] as Date; now < later(5 * HOUR); ) {
    now = nextCheck(SIGNED_AT, now)
    checks.push(now)
  }
  const minutes = checks.map((check) => (check.getTime() - SIGNED_AT.getTime()) / MINUTE)
  const seconds = [5, 15, 30, 90, 150, 210, 270, 330].map((at) => at / 60)
  expect(minutes).toEqual([...seconds, 11, 22, 44, 88, 176, 352])
})

it('keeps to these times when a check comes late', () => {
  expect(nextCheck(SIGNED_AT, later(5_400))).toEqual(later(15_000))
  expect(nextCheck(SIGNED_AT, later(16_000))).toEqual(later(30_000))
  expect(nextCheck(SIGNED_AT, later(-1_000))).toEqual(later(5_000))
})

it('checks an inconclusive transaction at twice its age, and daily after six hours', () => {
  expect(exponentialBackoff(SIGNED_AT, later(75_000))).toEqual(later(150_000))
  expect(exponentialBackoff(SIGNED_AT, later(6 * HOUR - 1))).toEqual(later(12 * HOUR - 2))
  expect(exponentialBackoff(SIGNED_AT, later(6 * HOUR))).toEqual(new Date('2026-11-23T00:07:00Z'))
  const nextDay = new Date('2026-11-24T00:07:00Z')
  expect(exponentialBackoff(SIGNED_AT, later(14 * HOUR + 7 * MINUTE))).toEqual(nextDay)
  expect(exponentialBackoff(SIGNED_AT, later(-5_000))).toEqual(later(-5_000))
})
