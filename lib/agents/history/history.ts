import { HISTORY_DAYS } from '../../../schema/wire/agents.ts'
import type { Db } from '../../db/connect.ts'
import { firstIdOf } from '../../id-range.ts'
import { DAY_MS } from '../../time.ts'
import { agentNotFound } from '../errors.ts'
import { dateOf, daysUntil, historyView } from './days.ts'
import { selectDays } from './history-queries.ts'

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
