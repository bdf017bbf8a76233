import * as v from 'valibot'
import { documentKinds } from '../../../schema/values.ts'
import { listActiveAgents } from '../../agents/listing/active.ts'
import { ApiError } from '../../api-error.ts'
import { makeCursor, notIssued, readCursor } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import { listRegisteredAgents } from '../../registry/list.ts'
import { agentResource, registeredResource } from './resources.ts'
import type { Resource } from './rules.ts'

/** The list that continues, and its own cursor unless it begins. */
const Position = v.union([
  v.strictTuple([v.picklist(documentKinds)]),
  v.strictTuple([v.picklist(documentKinds), v.string()]),
])

/**
 * Lists one page of all agents, then all registry entries, each in the order of its own list. The page on
 * which the agents end continues with entries, so that no token leads to an empty page.
 * @throws ApiError invalid_request for a token that the list did not issue
 */
export async function listEntries(deps: { db: Db }, input: Input): Promise<Page> {
  try {
    return await readPage(deps, input)
  } catch (error) {
    // The lists name an invalid cursor differently.
    if (error instanceof ApiError && error.code === 'invalid_request') throw notIssued('pageToken', error)
    throw error
  }
}

type Input = { pageSize: number; pageToken?: string | undefined }
type Page = { resources: Resource[]; pageToken?: string }

async function readPage(deps: { db: Db }, input: Input): Promise<Page> {
  const [kind, cursor] =
    input.pageToken === undefined ? (['agent'] as const) : readCursor(Position, input.pageToken, 'pageToken')
  if (kind === 'registered') return listRegistered(deps, input.pageSize, cursor)
  const page = await listActiveAgents(deps, { limit: input.pageSize, cursor })
  const agents = page.agents.map(agentResource)
  if (page.nextCursor !== undefined)
    return { resources: agents, pageToken: makeCursor(['agent', page.nextCursor]) }
  const left = input.pageSize - agents.length
  const entries = await listRegistered(deps, Math.max(left, 1))
  if (left > 0) return { ...entries, resources: [...agents, ...entries.resources] }
  return entries.resources.length === 0
    ? { resources: agents }
    : { resources: agents, pageToken: makeCursor(['registered']) }
}

async function listRegistered(deps: { db: Db }, limit: number, cursor?: string): Promise<Page> {
  const page = await listRegisteredAgents(deps, { limit, cursor })
  const resources = page.agents.map(registeredResource)
  return page.nextCursor === undefined
    ? { resources }
    : { resources, pageToken: makeCursor(['registered', page.nextCursor]) }
}
