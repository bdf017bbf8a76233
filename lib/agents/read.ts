import type { Db } from '../db/connect.ts'
import { type AgentRow, findAgent } from './queries.ts'
import { agentNotFound } from './refusals.ts'

/**
 * Reads one agent, whatever its status.
 * @throws Refusal agent_not_found
 */
export async function readAgent(deps: { db: Db }, id: string): Promise<AgentRow> {
  const agent = await findAgent(deps.db, id)
  if (!agent) throw agentNotFound()
  return agent
}
