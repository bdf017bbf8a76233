import { expect, it } from 'vitest'
import { dayOf, firstDay } from '../../../lib/marketplace/history.ts'

it('a day begins at midnight UTC', () => {
  expect(dayOf(new Date('2026-11-21T23:59:59.999Z'))).toBe('2026-11-21')
  expect(dayOf(new Date('2026-11-22T00:00:00.000Z'))).toBe('2026-11-22')
})

it('the last days end with today, across months and leap years', () => {
  const now = new Date('2028-03-01T12:00:00Z')
  expect(firstDay(now, 1)).toBe('2028-03-01')
  expect(firstDay(now, 2)).toBe('2028-02-29')
  expect(firstDay(now, 365)).toBe('2027-03-03')
})
