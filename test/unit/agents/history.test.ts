import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { daysUntil, historyView } from '../../../lib/agents/history/history.ts'
import { firstIdOf } from '../../../lib/id-range.ts'

const NOW = new Date('2026-11-20T09:00:00.000Z')

it('sorts the first id of a moment after all ids of the moment before', () => {
  const ms = NOW.getTime()
  expect(uuidv7({ msecs: ms - 1 }) < firstIdOf(ms)).toBe(true)
  expect(firstIdOf(ms) < uuidv7({ msecs: ms })).toBe(true)
})

it('lists the hires, charges and probes of each day when the last probe is days old', () => {
  const days = daysUntil(NOW, 3)
  const countedDay = (days[1] ?? 0) as number
  const requestDays = [{ day: '2026-11-19', payments: 2, paid: 30n }]
  const tally = { countedDay, dayChecks: [4, 3, 2], daySuccesses: [4, 1, 0] }
  expect(historyView(days, { hires: [1, 0, 2], charges: [0, 3, 1], tally }, requestDays).days).toEqual([
    { day: '2026-11-18', hires: 1, charges: 0, requests: 0, requestsPaid: 0n, looks: 3, live: 1 },
    { day: '2026-11-19', hires: 0, charges: 3, requests: 2, requestsPaid: 30n, looks: 4, live: 4 },
    { day: '2026-11-20', hires: 2, charges: 1, requests: 0, requestsPaid: 0n, looks: 0, live: 0 },
  ])
})

it('lists the days of an agent without an endpoint', () => {
  expect(historyView(daysUntil(NOW, 1), { hires: [1], charges: [0], tally: null }, []).days).toEqual([
    { day: '2026-11-20', hires: 1, charges: 0, requests: 0, requestsPaid: 0n, looks: 0, live: 0 },
  ])
})
