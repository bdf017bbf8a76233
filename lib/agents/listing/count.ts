import type { Db } from '../../db/connect.ts'
import { selectCounts } from './count-queries.ts'
import type { AgentSearch } from './search-queries.ts'

/** Counts the agents of a list, in all and by layer. Agents that only come close to `q` do not count. */
export async function countAgents(
  deps: { db: Db },
  search: AgentSearch,
): Promise<{ count: number; layers: { layer: number; count: number }[]; complete: boolean }> {
  const { isComplete, ...counts } = await selectCounts(deps.db, search)
  return { ...counts, complete: isComplete }
}
