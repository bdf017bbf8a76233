import { namedBy, publisherOf, type Subject, subjectIn } from '../../schema/ard-identifier.ts'
import { findAgent } from '../agents/queries.ts'
import type { Db } from '../db/connect.ts'
import { findIdentified } from '../liveness/queries.ts'
import { Refusal } from '../refusal.ts'
import { findRegisteredAgent } from '../registry/queries.ts'
import type { Publication } from './publication.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

/**
 * Finds what an identifier names: ours, or the one by which an agent's own host calls it. Ours goes on to
 * lead to an agent that has both, and the entry has the one that was asked for.
 * @throws Refusal entry_not_found, also for what is not active
 */
export async function readEntry(
  { db, publication }: { db: Db; publication: Publication },
  identifier: string,
): Promise<Resource> {
  const isOurs = publisherOf(identifier) === publication.publisher
  const subject = isOurs
    ? namedBy(publication, identifier)
    : subjectIn((await findIdentified(db, identifier)) ?? '')
  const resource = subject && (await find(db, subject))
  if (resource && isOurs) return { ...resource, identifier: null }
  // Its endpoint, and so who calls it so, may be another by now.
  if (resource?.identifier === identifier) return resource
  throw new Refusal('entry_not_found', 'No entry has this identifier.')
}

async function find(db: Db, { kind, key }: Subject): Promise<Resource | undefined> {
  if (kind === 'agent') {
    const agent = await findAgent(db, key)
    return agent?.status === 'active' ? agentResource(agent) : undefined
  }
  const entry = await findRegisteredAgent(db, key)
  return entry?.status === 'active' ? registeredResource(entry) : undefined
}
