import type { Db } from '../db/connect.ts'
import { type FoundAgent, findAgentWithPayouts } from './read-queries.ts'
import { agentNotFound } from './refusals.ts'

/**
 * Reads one agent, in any status.
 * @throws Refusal agent_not_found
 */
export async function readAgent(deps: { db: Db }, id: string): Promise<FoundAgent> {
  const agent = await findAgentWithPayouts(deps.db, id)
  if (!agent) throw agentNotFound()
  return agent
}
