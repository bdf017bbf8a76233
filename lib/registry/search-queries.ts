import { desc, getTableColumns, sql } from 'drizzle-orm'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import { ANY, registryListings } from '../../schema/tables/registry-listings.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { FEW, hasWords, rarestWord, STEPS } from '../discovery/search/queries.ts'
import {
  type AgentEndpointFilter,
  agentEndpointParameters,
  agentEndpointState,
  agentEndpoints,
  isAgentEndpointOf,
  isSeenAs,
} from '../liveness/queries.ts'
import type { RegistryCursor } from './cursor.ts'
import { firstListings, listParameters, listValues, type RegistryFilter, START } from './list-queries.ts'
import type { ReadRegisteredAgent } from './queries.ts'

const searchParameters = {
  ...listParameters,
  ...agentEndpointParameters,
  text: 'text',
  steps: 'integer',
} as const

const registrySearch = read(searchParameters, (db, $, by: { text: boolean }) => {
  const { pubkey, registeredAt, status, layers, capabilities, agentType } = registryAgents
  const listed = registryListings
  const rarest = rarestWord('registered', $.text)
  const areFew = sql`(select are_few from extent)`
  const candidates = sql`
    select key from (${rarest.keys}) as found where ${areFew}
    union all select ${listed.pubkey} from walked as ${listed}`
  const isWanted = sql`${status} = 'active' and ${agentType} = any (${$.agentTypes})
    and (${$.layer} = ${sql.raw(String(ANY.layer))} or ${$.layer} = any (${layers}))
    and (${$.capability} = ${sql.raw(`'${ANY.capability}'`)} or ${$.capability} = any (${capabilities}))
    and (${registeredAt}, ${pubkey}) < (${$.registeredAt}, ${$.pubkey})
    and ${isSeenAs(registryAgents, $)}`
  const isFound = by.text ? hasWords('registered', sql`${pubkey}`, rarest.query) : sql`true`
  // Without a text the list is walked.
  const isFew = by.text ? sql`${rarest.count} <= ${sql.raw(String(FEW))}` : sql`false`
  const page = sql`
    select ${pubkey} from ${registryAgents}
    where ${pubkey} = any (array(${candidates})) and ${isWanted} and ${isFound}
    order by ${desc(registeredAt)}, ${desc(pubkey)} limit ${$.limit}`
  // The last step of the walk, if it took them all: there the next page goes on.
  const reached = sql`
    select ${listed.registeredAt} as reached_at, ${listed.pubkey} as reached_key
    from (select (select count(*) from walked) as steps) as walk
    left join lateral (
      select ${listed.registeredAt}, ${listed.pubkey} from walked as ${listed}
      order by ${listed.registeredAt}, ${listed.pubkey} limit 1) as ${listed} on steps = ${$.steps}`
  return db
    .select({
      reachedAt: sql<Date | null>`reached_at`.mapWith(registeredAt),
      reachedKey: sql<Wallet | null>`reached_key`,
      entry: getTableColumns(registryAgents),
      endpoint: agentEndpointState,
    })
    .from(
      sql`(
        with ${rarest.ctes},
          extent as materialized (select ${isFew} as are_few),
          walked as materialized (
            select * from (${firstListings($, $.steps)}) as walked where not ${areFew})
        select reached.*, array(${page}) as page from (${reached}) as reached) as found`,
    )
    .leftJoin(registryAgents, sql`${pubkey} = any (page)`)
    .leftJoin(agentEndpoints, isAgentEndpointOf(registryAgents))
    .orderBy(desc(registeredAt), desc(pubkey))
})

/** A page of a search: its entries, and how far the list was walked for it, if it may go on from there. */
export type FoundEntries = { agents: ReadRegisteredAgent[]; reached: RegistryCursor | undefined }

/** A filter with what no index of the list has: words, and what was last seen of agent endpoints. */
export type EntrySearch = RegistryFilter & AgentEndpointFilter & { q?: string | undefined }

/**
 * Finds entries whose words (name, type, capabilities, description) begin with all words of a text, and whose
 * endpoint was last seen so: up to `limit` after a cursor, the latest registered key first.
 *
 * Up to a thousand are read and sorted. Beyond that the list is walked in its order, 2,000 steps for a page.
 * It may then have fewer entries than `limit`, even none: `reached` is where the next one goes on.
 */
export async function searchEntries(
  db: Db,
  { q, endpoint, card, ...filter }: EntrySearch,
  after: RegistryCursor = START,
  limit: number,
): Promise<FoundEntries> {
  const values = listValues(filter, after, limit)
  const steps = Math.floor(STEPS / values.agentTypes.length)
  const rows = await registrySearch.run(
    db,
    { ...values, endpoint, card, text: q ?? '', steps },
    { text: q !== undefined },
  )
  const { reachedAt, reachedKey } = rows[0] ?? {}
  const reached = reachedAt && reachedKey ? { registeredAt: reachedAt, pubkey: reachedKey } : undefined
  return { agents: rows.flatMap(({ entry, endpoint }) => (entry ? { ...entry, endpoint } : [])), reached }
}
