import * as v from 'valibot'
import { expect, it } from 'vitest'
import { expiryInstant } from '../../../lib/reputation/attestations/credentials.ts'
import { isInstant } from '../../../schema/times.ts'
import { AttestationRequest } from '../../../schema/wire/reputation.ts'

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const text = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const { issuedDate, expiryDate } = AttestationRequest.entries
const isDate = (date: string) => v.is(issuedDate.wrapped, date)

it('both dates of a credential are held against one schema', () => {
  expect(expiryDate.wrapped).toBe(issuedDate.wrapped)
})

it('every date from 0000-01-01 to 9999-12-31 is accepted if it exists, the year 0 aside, and no other', () => {
  const wrong: string[] = []
  for (let year = 0; year <= 9999; year += 1) {
    for (let month = 0; month <= 13; month += 1) {
      const days = (DAYS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)
      // A month that does not exist has no days to try: its first will do.
      for (let day = days === 0 ? 1 : 0; day <= days + 1; day += 1) {
        const exists = year > 0 && day >= 1 && day <= days
        const date = text(year, month, day)
        if (isDate(date) !== exists) wrong.push(date)
        if (exists && day === days && !isInstant(expiryInstant(date).toISOString()))
          wrong.push(`end of ${date}`)
      }
    }
  }
  expect(wrong.slice(0, 10)).toEqual([])
})

it.each(['10000-01-01', '+010000-01-01', '-0001-01-01', '2026-1-1', '2026-01-01T00:00Z', '', '١٢٣٤-01-01'])(
  '%j is no date',
  (date) => expect(isDate(date)).toBe(false),
)

it.each([
  ['2026-11-20T00:00:00.000Z', true],
  ['0001-01-01T00:00:00.000Z', true],
  ['9999-12-31T23:59:59.999Z', true],
  ['2026-02-31T00:00:00.000Z', false],
  ['2026-02-29T00:00:00.000Z', false],
  ['0000-01-01T00:00:00.000Z', false],
  ['+010000-01-01T00:00:00.000Z', false],
  ['-000001-01-01T00:00:00.000Z', false],
  ['2026-11-20T24:00:00.000Z', false],
  ['2026-11-20', false],
  ['', false],
])('%s is an instant: %s', (time, expected) => {
  expect(isInstant(time)).toBe(expected)
})
