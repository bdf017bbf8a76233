import type { Db } from '../db/connect.ts'
import { findAgent, type ReadAgent } from './queries.ts'
import { agentNotFound } from './refusals.ts'

/**
 * Reads one agent, in any status.
 * @throws Refusal agent_not_found
 */
export async function readAgent(deps: { db: Db }, id: string): Promise<ReadAgent> {
  const agent = await findAgent(deps.db, id)
  if (!agent) throw agentNotFound()
  return agent
}
