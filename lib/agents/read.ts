import type { Db } from '../db/connect.ts'
import { Refusal } from '../refusal.ts'
import { type AgentRow, findAgent } from './queries.ts'

/**
 * One agent, whatever its status.
 * @throws Refusal agent_not_found
 */
export async function readAgent(deps: { db: Db }, id: string): Promise<AgentRow> {
  const agent = await findAgent(deps.db, id)
  if (!agent) throw agentNotFound()
  return agent
}

export const agentNotFound = () => new Refusal('agent_not_found', 'There is no such agent.')
