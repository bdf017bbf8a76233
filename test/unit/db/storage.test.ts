import { expect, it } from 'vitest'
import { type LastAlert, nextAlert, parseStorageLimit } from '../../../lib/db/storage.ts'

const DAY = 86_400_000

/** Returns the days on which an operator is notified, given how full the database is on each. */
function toldOn(percents: number[]): number[] {
  let lastAlert: LastAlert = { level: 0, at: 0 }
  return percents.flatMap((percent, day) => {
    const now = new Date((1_000 + day) * DAY)
    lastAlert = nextAlert(percent, lastAlert, now)
    return lastAlert.at === now.getTime() ? [day] : []
  })
}

it.each<[string, number[], number[]]>([
  ['never below 80 %', [0, 50, 79], []],
  ['once at 80 %, and once at 95 %', [79, 80, 81, 94, 95, 99, 100], [1, 4]],
  ['once where it passes both at once', [10, 120, 120], [1]],
  ['again after a week', [80, 80, 80, 80, 80, 80, 80, 81, 81], [0, 7]],
  ['again after a week a little below 95 %', [96, 93, 93, 93, 93, 93, 93, 93, 93], [0, 7]],
  ['again after a week where it has shrunk to a lower level', [96, 85, 85, 85, 85, 85, 85, 85], [0, 7]],
  ['not of a size that goes up and down around a level', [80, 79, 80, 78, 81], [0]],
  ['anew where it has shrunk since', [96, 60, 82, 97], [0, 2, 3]],
])('alerts an operator %s', (_what, percents, days) => {
  expect(toldOn(percents)).toEqual(days)
})

it('parses the limit as whole bytes, or none', () => {
  expect(parseStorageLimit('')).toBeUndefined()
  expect(parseStorageLimit('500000000')).toBe(500_000_000)
  for (const text of ['0', '-1', '0.5', '500 MB', ' ', '1e9'])
    expect(() => parseStorageLimit(text), text).toThrow('DATABASE_LIMIT_BYTES must be a whole number')
})
