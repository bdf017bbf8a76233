import * as v from 'valibot'
import { documentKinds } from '../../schema/values.ts'
import { listAgents } from '../agents/list.ts'
import { openCursor, sealCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { listRegisteredAgents } from '../registry/list.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

/** Which list goes on, and its own cursor; none at its beginning. */
const Position = v.union([
  v.strictTuple([v.picklist(documentKinds)]),
  v.strictTuple([v.picklist(documentKinds), v.string()]),
])

/**
 * Lists one page of everything that can be found: the marketplace's agents, then the registry's entries, each
 * in the order of its own list. A page has of one kind only, so the last one of the agents may be short.
 * @throws Refusal invalid_request for a token that the list did not issue
 */
export async function listEntries(
  deps: { db: Db },
  input: { pageSize: number; pageToken?: string | undefined },
): Promise<{ resources: Resource[]; pageToken?: string }> {
  const [kind, cursor] =
    input.pageToken === undefined ? (['agent'] as const) : openCursor(Position, input.pageToken, 'pageToken')
  if (kind === 'agent') {
    const page = await listAgents(deps, { status: 'active', limit: input.pageSize, cursor })
    const next = page.nextCursor === undefined ? ['registered'] : ['agent', page.nextCursor]
    return { resources: page.agents.map(agentResource), pageToken: sealCursor(next) }
  }
  const page = await listRegisteredAgents(deps, { limit: input.pageSize, cursor })
  const resources = page.agents.map(registeredResource)
  return page.nextCursor === undefined
    ? { resources }
    : { resources, pageToken: sealCursor(['registered', page.nextCursor]) }
}
