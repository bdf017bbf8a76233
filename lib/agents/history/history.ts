import { HISTORY_DAYS } from '../../../schema/wire/agent-history.ts'
import type { Db } from '../../db/connect.ts'
import { DAY_MS } from '../../time.ts'
import { agentNotFound } from '../refusals.ts'
import { daysUntil, firstIdOf, historyView } from './days.ts'
import { selectDayCounts } from './history-queries.ts'

/**
 * Reads what became of an agent on each of the last days.
 * @throws Refusal agent_not_found
 */
export async function agentHistory({ db, now }: { db: Db; now: Date }, id: string) {
  const days = daysUntil(now, HISTORY_DAYS)
  const bounds = [...days.map((day) => day * DAY_MS), now.getTime() + DAY_MS].map(firstIdOf)
  const counts = await selectDayCounts(db, id, bounds)
  if (!counts) throw agentNotFound()
  return historyView(days, counts)
}
