import { namedBy, publisherOf, type Subject } from '../../../schema/ard-identifier.ts'
import { findAgent } from '../../agents/queries.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { findRegisteredAgent } from '../../registry/queries.ts'
import type { Publication } from './publication.ts'
import { findIdentified } from './queries.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

/**
 * Finds an agent by the service's identifier or by the one that its own host gives it. An agent with both
 * can be read by both, and the entry has the requested one.
 * @throws ApiError entry_not_found, also for an agent that is not active
 */
export async function readEntry(
  { db, publication }: { db: Db; publication: Publication },
  identifier: string,
): Promise<Resource> {
  const resource =
    publisherOf(identifier) === publication.publisher
      ? await findPublished(db, publication, identifier)
      : await findIdentified(db, identifier)
  if (resource) return resource
  throw new ApiError('entry_not_found', 'No entry has this identifier.')
}

async function findPublished(
  db: Db,
  publication: Publication,
  identifier: string,
): Promise<Resource | undefined> {
  const subject = namedBy(publication, identifier)
  const resource = subject && (await find(db, subject))
  return resource && { ...resource, identifier: null }
}

async function find(db: Db, { kind, key }: Subject): Promise<Resource | undefined> {
  if (kind === 'agent') {
    const agent = await findAgent(db, key)
    return agent?.status === 'active' ? agentResource(agent) : undefined
  }
  const entry = await findRegisteredAgent(db, key)
  return entry?.status === 'active' ? registeredResource(entry) : undefined
}
