import type { Db } from '../db/connect.ts'
import { agentNotFound } from './errors.ts'
import { type FoundAgent, findAgentWithPayouts } from './read-queries.ts'

/**
 * Reads one agent, in any status.
 * @throws ApiError agent_not_found
 */
export async function readAgent(deps: { db: Db; requestFee: bigint }, id: string): Promise<FoundAgent> {
  const agent = await findAgentWithPayouts(deps.db, id, deps.requestFee)
  if (!agent) throw agentNotFound()
  return agent
}
