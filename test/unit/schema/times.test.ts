import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { expiryInstant } from '../../../lib/reputation/attestations/credentials.ts'
import { isInstant, readDateTime } from '../../../schema/times.ts'
import { Instant } from '../../../schema/wire/instant.ts'
import { AttestationRequest } from '../../../schema/wire/reputation.ts'

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const text = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const { issuedDate, expiryDate } = AttestationRequest.entries
const isDate = (date: string) => v.is(issuedDate.wrapped, date)

it('checks both dates of a credential against one schema', () => {
  expect(expiryDate.wrapped).toBe(issuedDate.wrapped)
})

/** The dates of these days of a month that are taken or refused wrongly. */
function wrongIn(year: number, month: number, days: readonly number[]): string[] {
  const last = (DAYS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)
  return days.flatMap((day) => {
    const exists = year > 0 && day >= 1 && day <= last
    const date = text(year, month, day)
    const wrong = isDate(date) === exists ? [] : [date]
    const ends = exists && day === last && !isInstant(expiryInstant(date).toISOString())
    return ends ? [...wrong, `end of ${date}`] : wrong
  })
}

it('accepts the edges of every month that exist, except in the year 0, and no others', () => {
  const years = [0, 1, 4, 100, 400, 1582, 1899, 1900, 1970, 1999, 2000, 2026, 2027, 2028, 2100, 9998, 9999]
  const months = Array.from({ length: 14 }, (_, month) => month)
  const edges = [0, 1, 2, 27, 28, 29, 30, 31, 32]
  expect(years.flatMap((year) => months.flatMap((month) => wrongIn(year, month, edges)))).toEqual([])
})

it('a date from 0000-00-00 to 9999-13-32 is accepted if it exists, and no other', () => {
  const date = fc.tuple(fc.nat(9_999), fc.nat(13), fc.nat(32))
  const property = fc.property(date, ([year, month, day]) => wrongIn(year, month, [day]).length === 0)
  fc.assert(property, { numRuns: 10_000 })
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

it.each([
  ['2026-11-20T09:05:00Z', '2026-11-20T09:05:00.000Z'],
  ['2026-11-20T09:05:00.5Z', '2026-11-20T09:05:00.500Z'],
  ['2026-11-20T09:05:00.1239999999Z', '2026-11-20T09:05:00.123Z'],
  ['2026-11-20t09:05:00z', '2026-11-20T09:05:00.000Z'],
  ['2026-11-20T09:05:00+00:00', '2026-11-20T09:05:00.000Z'],
  ['2026-11-20T09:05:00-00:00', '2026-11-20T09:05:00.000Z'],
  ['2026-11-20T00:05:00+05:45', '2026-11-19T18:20:00.000Z'],
  ['2026-11-20T23:05:00-08:00', '2026-11-21T07:05:00.000Z'],
  ['2026-11-20T00:00:00-23:59', '2026-11-20T23:59:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['1968-12-31T15:59:60.5-08:00', '1969-01-01T00:00:00.500Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00+00:01', undefined],
  ['9999-12-31T23:59:59.999-00:01', undefined],
  ['9999-12-31T23:59:60Z', undefined],
  ['2016-12-31T23:58:60Z', undefined],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-11-20T24:00:00Z', undefined],
  ['2026-11-20T09:60:00Z', undefined],
  ['2026-11-20T09:05:61Z', undefined],
  ['2026-11-20T09:05:00+24:00', undefined],
  ['2026-11-20T09:05:00+00:60', undefined],
  ['2026-11-20T09:05:00+0000', undefined],
  ['2026-11-20T09:05:00', undefined],
  ['2026-11-20T09:05Z', undefined],
  ['2026-11-20 09:05:00Z', undefined],
  ['2026-11-20T09:05:00,5Z', undefined],
  ['2026-11-20T09:05:00.Z', undefined],
  ['0000-11-20T09:05:00Z', undefined],
  ['2026-11-20T٠٩:05:00Z', undefined],
])('reads %s as %s in RFC 3339, and its schema agrees', (text, expected) => {
  expect(readDateTime(text)?.toISOString()).toBe(expected)
  const read = v.safeParse(Instant, text)
  expect(read.success ? (read.output as Date).toISOString() : undefined).toBe(expected)
})
