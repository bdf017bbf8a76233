import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { costAwake, hoursAwake } from '../cost.ts'
import type { Bench } from '../harness/bench.ts'
import type { Goal, Section } from '../harness/report.ts'
import { stoppingAfter } from '../harness/stops.ts'
import { DAYS, type Scenario, scenarios } from '../idle/scenarios.ts'
import { openWorld, type Statement } from '../idle/world.ts'
import { FREE_UNIT_HOURS, prices, SMALLEST_COMPUTE_UNITS } from '../prices.ts'

/** What a month of 30 days keeps the database awake, and what that costs, beside the former crons. */
export async function idle(bench: Bench): Promise<Section[]> {
  const rows: Section['rows'] = []
  const goals: Goal[] = []
  for (const [index, scenario] of scenarios.entries()) {
    const { from, statements } = await stoppingAfter(() => live(bench, `idle_${index}`, scenario))
    const hours = hoursAwake(timesOf(statements))
    const visits = hoursAwake(timesOf(statements.filter(({ by }) => by === 'visit')))
    const before = hoursAwake([...timesOf(statements), ...formerCrons(from)])
    const { name, goal } = scenario
    const cost = [hours, before].flatMap((awake) => [awake, costAwake(awake)])
    rows.push([name, statements.length, visits, ...cost])
    const beyond = goal.beyondVisits ? hours - visits : hours
    const what = `${name}: hours awake${goal.beyondVisits ? ' beyond the visits and what they bring about' : ''}`
    goals.push({ what, measured: beyond, limit: goal.hours, is: 'at most' })
    if (index === 0)
      goals.push({
        what: 'statements of an idle hour, at most',
        measured: mostOfAnIdleHour(from, statements),
        limit: 0,
        is: 'at most',
      })
  }
  return [
    {
      title: `What keeps the database awake in ${DAYS} days`,
      columns: [
        ...['', 'statements', 'hours awake by visits', 'hours awake', 'US dollars'],
        ...['with the former crons', 'US dollars'],
      ],
      rows,
      goals,
      notes: [
        'a database that sleeps after five minutes without a statement; the former crons asked it every 5 and 10 minutes',
        `$${prices.postgresCompute.usd} per ${prices.postgresCompute.per}, of which the smallest compute has ${SMALLEST_COMPUTE_UNITS}; Neon’s free plan has ${FREE_UNIT_HOURS} such hours a month, ${FREE_UNIT_HOURS / SMALLEST_COMPUTE_UNITS} hours awake`,
      ],
    },
  ]
}

const timesOf = (statements: Statement[]): number[] => statements.map(({ at }) => at)

async function live(bench: Bench, database: string, { prepare }: Scenario) {
  const world = await openWorld(bench, database)
  const visitsFrom = await prepare(world)
  const from = world.service.clock.now()
  const statements = await world.live(from + DAYS * DAY_MS, visitsFrom(from))
  return { from, statements }
}

/** When the crons asked that were there before the Clock: every 5 minutes, and every 10. */
const formerCrons = (from: number): number[] =>
  Array.from({ length: (DAYS * DAY_MS) / FORMER_CRON_MS }, (_, index) => from + index * FORMER_CRON_MS)
const FORMER_CRON_MS = 5 * 60_000

/** The most statements of an hour after the first one that has no daily round, at 00:07 UTC. */
function mostOfAnIdleHour(from: number, statements: Statement[]): number {
  const counts = new Map<number, number>()
  for (const { at } of statements) {
    const hour = Math.floor(at / HOUR_MS)
    const isDaily = hour % 24 === 0
    if (at >= from + HOUR_MS && !isDaily) counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}
