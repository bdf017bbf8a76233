import { DAY_MS } from '../time.ts'

/** How many days of looks are counted. */
const UPTIME_DAYS = 30

/** Looks by day, newest first, and which day (since 1970, UTC) is the first. */
export type DayCounts = { countedDay: number; dayChecks: number[]; daySuccesses: number[] }

/** Counts a look on its day; what is older than thirty days falls out. */
export function countLook(counts: DayCounts, now: Date, isUp: boolean): DayCounts {
  const day = Math.floor(now.getTime() / DAY_MS)
  // A clock that was set back must not shift anything.
  const passed = Math.max(0, day - counts.countedDay)
  const [checks = 0, ...earlierChecks] = shifted(counts.dayChecks, passed)
  const [successes = 0, ...earlierSuccesses] = shifted(counts.daySuccesses, passed)
  return {
    countedDay: counts.countedDay + passed,
    dayChecks: [checks + 1, ...earlierChecks],
    daySuccesses: [successes + (isUp ? 1 : 0), ...earlierSuccesses],
  }
}

const shifted = (days: number[], passed: number): number[] =>
  [...Array<number>(Math.min(passed, UPTIME_DAYS)).fill(0), ...days].slice(0, UPTIME_DAYS)

/** The share of looks that succeeded, from 0 to 1; null when there were none. */
export function uptimeOf({ dayChecks, daySuccesses }: DayCounts): number | null {
  const checks = sum(dayChecks)
  return checks === 0 ? null : sum(daySuccesses) / checks
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
