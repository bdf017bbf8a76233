import { type AgentHistory, HISTORY_DAYS } from '../../../schema/wire/agents.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { Db } from '../../db/connect.ts'
import { firstIdOf } from '../../id-range.ts'
import { DAY_MS } from '../../time.ts'
import { agentNotFound } from '../errors.ts'
import { type DayCounts, type RequestDay, selectDays } from './history-queries.ts'

/**
 * Reads an agent's daily counts of hires, charges, payments and probes.
 * @throws ApiError agent_not_found
 */
export async function agentHistory({ db, now }: { db: Db; now: Date }, id: string) {
  const days = daysUntil(now, HISTORY_DAYS)
  const bounds = [...days.map((day) => day * DAY_MS), now.getTime() + DAY_MS].map(firstIdOf)
  const [counts, requestDays] = await selectDays(db, id, { bounds, from: dateOf(days[0] ?? 0) })
  if (!counts) throw agentNotFound()
  return historyView(days, counts, requestDays)
}

/** Formats a day, given as a number since 1970, as 2026-11-20. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Lists the last `days` UTC days, including that of `now`, as numbers since 1970, oldest first. */
export function daysUntil(now: Date, days: number): number[] {
  const today = Math.floor(now.getTime() / DAY_MS)
  return Array.from({ length: days }, (_, index) => today - days + 1 + index)
}

/**
 * Makes an AgentHistory. An endpoint's tally has its newest day first. `requestDays` has only the days with
 * payments for requests.
 */
export const historyView = (
  days: readonly number[],
  { hires, charges, tally }: DayCounts,
  requestDays: readonly RequestDay[],
): Wire<typeof AgentHistory> => ({
  days: days.map((day, index) => {
    const age = (tally?.countedDay ?? 0) - day
    const date = dateOf(day)
    const requests = requestDays.find((one) => one.day === date)
    return {
      day: date,
      hires: hires[index] ?? 0,
      charges: charges[index] ?? 0,
      requests: requests?.payments ?? 0,
      requestsPaid: requests?.paid ?? 0n,
      looks: tally?.dayChecks[age] ?? 0,
      live: tally?.daySuccesses[age] ?? 0,
    }
  }),
})
