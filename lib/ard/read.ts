import { namedBy } from '../../schema/ard-identifier.ts'
import { isWallet } from '../../schema/wallet.ts'
import { findAgent } from '../agents/queries.ts'
import type { Db } from '../db/connect.ts'
import { findIdentified } from '../liveness/queries.ts'
import { Refusal } from '../refusal.ts'
import { findRegisteredAgent } from '../registry/queries.ts'
import type { Publication } from './publication.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Finds what an identifier names: ours, or the one by which an agent's own host calls it. Ours goes on to
 * lead to an agent that has both, and the entry has the one that was asked for.
 * @throws Refusal entry_not_found, also for what is not active
 */
export async function readEntry(
  deps: { db: Db; publication: Publication },
  identifier: string,
): Promise<Resource> {
  const ours = namedBy(deps.publication, identifier)
  const [kind, key] = ours ? [ours.kind, ours.key] : await subjectOf(deps.db, identifier)
  const resource = await find(deps.db, kind, key)
  if (resource && ours) return { ...resource, identifier: null }
  // Its endpoint, and so who calls it so, may be another by now.
  if (resource?.identifier === identifier) return resource
  throw new Refusal('entry_not_found', 'No entry has this identifier.')
}

/** The kind and key of the agent that its own host calls so. */
const subjectOf = async (db: Db, identifier: string): Promise<string[]> =>
  (await findIdentified(db, identifier))?.split(':') ?? []

async function find(db: Db, kind?: string, key = ''): Promise<Resource | undefined> {
  if (kind === 'agent' && UUID.test(key)) {
    const agent = await findAgent(db, key)
    if (agent?.status === 'active') return agentResource(agent)
  }
  if (kind === 'registered' && isWallet(key)) {
    const entry = await findRegisteredAgent(db, key)
    if (entry?.status === 'active') return registeredResource(entry)
  }
  return undefined
}
