import { desc, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { type Capability, type RegistryAgentType, registryAgentTypes } from '../../schema/registry.ts'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import { ANY, registryListings } from '../../schema/tables/registry-listings.ts'
import { LAST_INSTANT_MS } from '../../schema/times.ts'
import { isWallet, type Wallet } from '../../schema/wallet.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import type { Db } from '../db/connect.ts'
import { type Parameters, read } from '../db/statement.ts'
import { agentEndpointState, agentEndpoints, isAgentEndpointOf } from '../liveness/queries.ts'
import { publicEntry, type ReadRegisteredAgent } from './queries.ts'

/** The filters of GET /registry/agents, except words. */
export type RegistryFilter = {
  agentType?: RegistryAgentType | undefined
  capability?: Capability | undefined
  layer?: number | undefined
}

/** A cursor before the first entry of the list. */
export const START: RegistryCursor = { registeredAt: new Date(LAST_INSTANT_MS), pubkey: '' as Wallet }

/** The parameters of a list: its filters and its cursor. */
export const listParameters = {
  layer: 'smallint',
  capability: 'text',
  agentTypes: 'text[]',
  registeredAt: 'timestamptz',
  pubkey: 'text',
  limit: 'integer',
} as const

/** Returns the values of listParameters. */
export const listValues = (
  { agentType, capability, layer }: RegistryFilter,
  after: RegistryCursor,
  limit: number,
) => ({
  layer: layer ?? ANY.layer,
  capability: capability ?? ANY.capability,
  agentTypes: agentType === undefined ? registryAgentTypes : [agentType],
  ...after,
  limit,
})

/**
 * Selects the first listings of a list in its order, at most `most` (registeredAt, pubkey). The first
 * listings of each type are one range of the index.
 */
export function firstListings($: Parameters<typeof listParameters>, most: SQL): SQL {
  const { layer, capability, agentType, registeredAt, pubkey } = registryListings
  const found = sql`${registeredAt}, ${pubkey}`
  const inOrder = sql`${desc(registeredAt)}, ${desc(pubkey)}`
  const firstOfEach = sql`
    select first.* from unnest(${$.agentTypes}) as one_type, lateral (
      select ${found} from ${registryListings}
      where ${layer} = ${$.layer} and ${capability} = ${$.capability} and ${agentType} = one_type
        and (${found}) < (${$.registeredAt}, ${$.pubkey})
      order by ${inOrder} limit ${most}) as first`
  return sql`select ${found} from (${firstOfEach}) as ${registryListings} order by ${inOrder} limit ${most}`
}

const registeredAgents = read(listParameters, (db, $) => {
  const page = sql`
    select ${registryListings.pubkey} from (${firstListings($, $.limit)}) as ${registryListings}`
  // An array, so that the planner looks the rows up by key.
  return db
    .select({ ...publicEntry, endpoint: agentEndpointState })
    .from(registryAgents)
    .leftJoin(agentEndpoints, isAgentEndpointOf(registryAgents))
    .where(sql`${registryAgents.pubkey} = any (array(${page}))`)
    .orderBy(desc(registryAgents.registeredAt), desc(registryAgents.pubkey))
})

/** Reads up to `limit` entries after a cursor, the latest registered key first. */
export const selectRegisteredAgents = (
  db: Db,
  filter: RegistryFilter,
  after: RegistryCursor = START,
  limit: number,
): Promise<ReadRegisteredAgent[]> => registeredAgents.run(db, listValues(filter, after, limit))

/** The sort key (registeredAt desc, pubkey desc) of the last entry of a page. Neither ever changes. */
export type RegistryCursor = { registeredAt: Date; pubkey: Wallet }

const Parts = v.strictTuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LAST_INSTANT_MS)),
  v.pipe(v.string(), v.guard(isWallet)),
])

export const encodeCursor = ({ registeredAt, pubkey }: RegistryCursor): string =>
  makeCursor([registeredAt.getTime(), pubkey])

/** @throws ApiError invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): RegistryCursor {
  const [registeredAt, pubkey] = readCursor(Parts, cursor)
  return { registeredAt: new Date(registeredAt), pubkey }
}
