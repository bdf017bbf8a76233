import { isWallet } from '../../schema/wallet.ts'
import { findAgent } from '../agents/queries.ts'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../refusal.ts'
import { findRegisteredAgent } from '../registry/queries.ts'
import { namedBy, type Publication } from './identifiers.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Finds what an identifier names.
 * @throws Refusal entry_not_found, also for what is not active
 */
export async function readEntry(
  deps: { db: Db; publication: Publication },
  identifier: string,
): Promise<Resource> {
  const { kind, key = '' } = namedBy(deps.publication, identifier) ?? {}
  if (kind === 'agent' && UUID.test(key)) {
    const agent = await findAgent(deps.db, key)
    if (agent?.status === 'active') return agentResource(agent)
  }
  if (kind === 'registered' && isWallet(key)) {
    const entry = await findRegisteredAgent(deps.db, key)
    if (entry?.status === 'active') return registeredResource(entry)
  }
  throw new Refusal('entry_not_found', 'No entry has this identifier.')
}
