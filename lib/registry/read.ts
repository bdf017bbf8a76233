import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { notRegistered } from './errors.ts'
import { findRegisteredAgent, type ReadRegisteredAgent } from './queries.ts'

/**
 * Finds the registered agent of a key.
 * @throws ApiError registration_not_found
 */
export async function readRegisteredAgent(deps: { db: Db }, pubkey: Wallet): Promise<ReadRegisteredAgent> {
  const agent = await findRegisteredAgent(deps.db, pubkey)
  if (!agent || agent.status === 'removed') throw notRegistered()
  return agent
}
