import { expect, it } from 'vitest'
import { timesIn } from '../../../lib/console/locale.ts'

it.each([
  [['en-US@posix'], 'en-GB'],
  [['und'], 'en-GB'],
  [[], 'en-GB'],
  [['ar-EG', 'de-DE'], 'en-GB'],
  [['de-DE', 'en-US', 'en'], 'en-US'],
  [['en-u-nu-arab', 'en-IN'], 'en-IN'],
])('takes from %j the locale %s', (languages, locale) => {
  expect(timesIn(languages)).toBe(locale)
  expect(new Date(0).toLocaleString(timesIn(languages), { timeZone: 'UTC' })).toMatch(/1970/)
})
