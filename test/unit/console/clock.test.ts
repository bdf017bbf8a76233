import { expect, it } from 'vitest'
import { createServiceClock } from '../../../lib/console/clock.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

/** A clock of a machine that stands still, which gets answers with these dates. */
function clockOf(...dates: (string | undefined)[]) {
  const answers = dates.map((date) => new Response(null, date === undefined ? {} : { headers: { date } }))
  return createServiceClock(
    async () => answers.shift() ?? new Response(),
    () => NOW,
  )
}

it('starts with this machine’s time, and is then never behind the service’s', async () => {
  const clock = clockOf('Tue, 22 Dec 2026 12:00:00 GMT')
  expect(clock.now()).toBe(NOW)
  await clock.fetch('/v1/agents')
  expect(new Date(clock.now()).toISOString()).toBe('2026-12-22T12:00:00.999Z')
})

it('follows the latest answer of a service behind this machine, not a cached one', async () => {
  const clock = clockOf(
    'Sun, 22 Nov 2026 11:00:00 GMT',
    'Sun, 22 Nov 2026 11:01:00 GMT',
    'Sun, 22 Nov 2026 11:00:30 GMT',
    undefined,
    'no date',
  )
  await clock.fetch('/')
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-22T11:00:00.999Z')
  for (let answers = 0; answers < 4; answers += 1) await clock.fetch('/')
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-22T11:01:00.999Z')
})
