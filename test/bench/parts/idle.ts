import { FREE } from '../../../lib/cli/setup/plans.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { costAwake, hoursAwake } from '../cost.ts'
import type { Bench } from '../harness/bench.ts'
import type { Goal, Section } from '../harness/report.ts'
import { stoppingAfter } from '../harness/stops.ts'
import { DAYS, type Scenario, scenarios } from '../idle/scenarios.ts'
import { openWorld, type Statement } from '../idle/world.ts'
import { prices, SMALLEST_COMPUTE_UNITS } from '../prices.ts'

/** A month of a deployment: the statements of its database, and for how many hours it was awake. */
type Month = Pick<Scenario, 'name' | 'goal'> & {
  from: number
  statements: Statement[]
  hours: number
  /** By visits and what they bring about alone. */
  visits: number
  /** With the crons that were there before the Clock. */
  former: number
  undone: number
}

/** The rows that this part promises. */
export const subjects = (): string[] => scenarios.map(({ name }) => name)

/** How long each deployment keeps its database awake. */
export async function idle(bench: Bench): Promise<Section[]> {
  const months = await monthsOf(bench)
  const goals = months.flatMap(({ name, goal, hours, visits, undone }): Goal[] => [
    {
      what: `${name}: hours awake${goal.beyondVisits ? ' beyond the visits and what they bring about' : ''}`,
      measured: goal.beyondVisits ? hours - visits : hours,
      limit: goal.hours,
      is: 'at most',
    },
    { what: `${name}: left undone for a day`, measured: undone, limit: 0, is: 'at most' },
  ])
  const most = Math.max(...months.slice(0, 1).map(mostOfAnIdleHour))
  goals.push({ what: 'nobody: statements of an idle hour', measured: most, limit: 0, is: 'at most' })
  return [
    {
      title: `What keeps the database awake in ${DAYS} days`,
      columns: ['', 'statements', 'hours awake by visits', 'hours awake', 'with the former crons'],
      rows: months.map(({ name, statements, visits, hours, former }) => [
        ...[name, statements.length],
        ...[visits, hours, former],
      ]),
      goals,
      notes: ['a database that sleeps after five minutes without a statement; crons every 5 and 10 minutes'],
    },
  ]
}

/** What these months cost. */
export async function costOfMonths(bench: Bench): Promise<Section> {
  const months = await monthsOf(bench)
  return {
    title: `What ${DAYS} days cost that keep the smallest compute awake, in US dollars`,
    columns: ['', 'hours awake', 'US dollars', 'with the former crons', 'US dollars'],
    rows: months.map(({ name, hours, former }) => [name, hours, costAwake(hours), former, costAwake(former)]),
    goals: [],
    notes: [
      `the smallest compute is ${SMALLEST_COMPUTE_UNITS} of a unit; $${prices.postgresCompute.usd} per ${prices.postgresCompute.per}; the free plan has ${FREE.unitHours} such hours a month, ${FREE.unitHours / SMALLEST_COMPUTE_UNITS} hours awake`,
    ],
  }
}

let lived: Promise<Month[]> | undefined

/** Lives through each month once, for both parts. */
function monthsOf(bench: Bench): Promise<Month[]> {
  lived ??= (async () => {
    const months: Month[] = []
    for (const [index, scenario] of scenarios.entries())
      months.push(await stoppingAfter(() => live(bench, `idle_${index}`, scenario)))
    return months
  })()
  return lived
}

async function live(
  bench: Bench,
  database: string,
  { name, goal, prepare, hasJobs }: Scenario,
): Promise<Month> {
  const world = await openWorld(bench, database)
  const visitsFrom = await prepare(world)
  const from = world.service.clock.now()
  const statements = await world.live(from + DAYS * DAY_MS, visitsFrom(from), hasJobs)
  return {
    ...{ name, goal, from, statements },
    hours: hoursAwake(timesOf(statements)),
    visits: hoursAwake(timesOf(statements.filter(({ by }) => by === 'visit'))),
    former: hoursAwake([...timesOf(statements), ...formerCrons(from)]),
    undone: await world.undone(),
  }
}

const timesOf = (statements: Statement[]): number[] => statements.map(({ at }) => at)

/** The former crons: every 5 minutes, and every 10. */
const FORMER_CRON_MS = 5 * 60_000

const formerCrons = (from: number): number[] =>
  Array.from({ length: (DAYS * DAY_MS) / FORMER_CRON_MS }, (_, index) => from + index * FORMER_CRON_MS)

/** Returns the most statements of an hour, without the first hour and hours of the daily job (00:07 UTC). */
function mostOfAnIdleHour({ from, statements }: Month): number {
  const counts = new Map<number, number>()
  for (const { at } of statements) {
    const hour = Math.floor(at / HOUR_MS)
    const isDaily = hour % 24 === 0
    if (at >= from + HOUR_MS && !isDaily) counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}
