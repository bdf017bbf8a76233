import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../refusal.ts'
import { findRegisteredAgent, type RegisteredAgentRow } from './queries.ts'

/**
 * Finds the registered agent of a key.
 * @throws Refusal registration_not_found
 */
export async function readRegisteredAgent(deps: { db: Db }, pubkey: Wallet): Promise<RegisteredAgentRow> {
  const agent = await findRegisteredAgent(deps.db, pubkey)
  if (agent) return agent
  throw new Refusal('registration_not_found', 'No agent is registered under this key.')
}
