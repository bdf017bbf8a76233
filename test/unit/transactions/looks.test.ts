import { expect, it } from 'vitest'
import { backedOff, firstLook, nextLook } from '../../../lib/transactions/confirmation/looks.ts'

const SIGNED_AT = new Date('2026-11-22T10:00:00Z')
const after = (ms: number) => new Date(SIGNED_AT.getTime() + ms)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

it('what was signed is looked at after 5, 15 and 30 seconds, then every minute, then ever later', () => {
  const looks = [firstLook(SIGNED_AT)]
  for (let now = looks[0] as Date; now < after(5 * HOUR); ) {
    now = nextLook(SIGNED_AT, now)
    looks.push(now)
  }
  const minutes = looks.map((look) => (look.getTime() - SIGNED_AT.getTime()) / MINUTE)
  const seconds = [5, 15, 30, 90, 150, 210, 270, 330].map((at) => at / 60)
  expect(minutes).toEqual([...seconds, 11, 22, 44, 88, 176, 352])
})

it('what was looked at late is looked at at the next of these times', () => {
  expect(nextLook(SIGNED_AT, after(5_400))).toEqual(after(15_000))
  expect(nextLook(SIGNED_AT, after(16_000))).toEqual(after(30_000))
  expect(nextLook(SIGNED_AT, after(-1_000))).toEqual(after(5_000))
})

it('what can not be proven is asked about after as long again, from six hours on with the daily round', () => {
  expect(backedOff(SIGNED_AT, after(75_000))).toEqual(after(150_000))
  expect(backedOff(SIGNED_AT, after(6 * HOUR - 1))).toEqual(after(12 * HOUR - 2))
  expect(backedOff(SIGNED_AT, after(6 * HOUR))).toEqual(new Date('2026-11-23T00:07:00Z'))
  expect(backedOff(SIGNED_AT, after(14 * HOUR + 7 * MINUTE))).toEqual(new Date('2026-11-24T00:07:00Z'))
  expect(backedOff(SIGNED_AT, after(-5_000))).toEqual(after(-5_000))
})
