import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { daysUntil, firstIdOf, historyView } from '../../../lib/agents/history/days.ts'

const NOW = new Date('2026-11-20T09:00:00.000Z')

it('the first id of a moment stands between the ids of the moment before and its own', () => {
  const ms = NOW.getTime()
  expect(uuidv7({ msecs: ms - 1 }) < firstIdOf(ms)).toBe(true)
  expect(firstIdOf(ms) < uuidv7({ msecs: ms })).toBe(true)
})

it('each day has its hires, charges and the looks of that day, also where the endpoint was last looked at earlier', () => {
  const days = daysUntil(NOW, 3)
  const countedDay = (days[1] ?? 0) as number
  const tally = { countedDay, dayChecks: [4, 3, 2], daySuccesses: [4, 1, 0] }
  expect(historyView(days, { hires: [1, 0, 2], charges: [0, 3, 1], tally }).days).toEqual([
    { day: '2026-11-18', hires: 1, charges: 0, looks: 3, live: 1 },
    { day: '2026-11-19', hires: 0, charges: 3, looks: 4, live: 4 },
    { day: '2026-11-20', hires: 2, charges: 1, looks: 0, live: 0 },
  ])
})

it('an agent without an endpoint has days all the same', () => {
  expect(historyView(daysUntil(NOW, 1), { hires: [1], charges: [0], tally: null }).days).toEqual([
    { day: '2026-11-20', hires: 1, charges: 0, looks: 0, live: 0 },
  ])
})
