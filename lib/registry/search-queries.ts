import { desc, sql } from 'drizzle-orm'
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
  asksForAgentEndpoint,
  isAgentEndpointOf,
  isSeenAs,
} from '../liveness/queries.ts'
import {
  firstListings,
  listParameters,
  listValues,
  type RegistryCursor,
  type RegistryFilter,
  START,
} from './list-queries.ts'
import { publicEntry, type ReadRegisteredAgent } from './queries.ts'

const searchParameters = {
  ...listParameters,
  ...agentEndpointParameters,
  text: 'text',
  steps: 'integer',
} as const

const registrySearch = read(searchParameters, (db, $, by: { text: boolean; endpoint: boolean }) => {
  const { status, layers, capabilities, agentType } = registryAgents
  const { pubkey, registeredAt } = registryListings
  const inOrder = sql`${desc(registeredAt)}, ${desc(pubkey)}`
  const rarest = rarestWord('registered', $.text)
  const areFew = sql`(select are_few from extent)`
  const isWanted = sql`${status} = 'active' and ${agentType} = any (${$.agentTypes})
    and (${$.layer} = ${sql.raw(String(ANY.layer))} or ${$.layer} = any (${layers}))
    and (${$.capability} = ${sql.raw(`'${ANY.capability}'`)} or ${$.capability} = any (${capabilities}))
    and (${registryAgents.registeredAt}, ${registryAgents.pubkey}) < (${$.registeredAt}, ${$.pubkey})`
  // Without a text the list is walked.
  const isFew = by.text ? sql`${rarest.count} <= ${sql.raw(String(FEW))}` : sql`false`
  const isSeen = by.endpoint ? isSeenAs(registryAgents, $) : sql`true`
  // The candidates in the list's order: the few hits, or a limited number of steps of the list.
  const candidates = sql`
    select ${registryAgents.registeredAt}, ${registryAgents.pubkey} from ${registryAgents}
    where ${areFew} and ${registryAgents.pubkey} = any (array(${rarest.keys})) and ${isWanted} and ${isSeen}
    union all
    select ${registeredAt}, ${pubkey} from (${firstListings($, $.steps)}) as ${registryListings} where not ${areFew}
    order by registered_at desc, pubkey desc`
  const isFound = by.text ? hasWords('registered', sql`${pubkey}`, rarest.query) : sql`true`
  const isSeenToo = by.endpoint
    ? sql`(${areFew} or exists (select from ${registryAgents} where ${registryAgents.pubkey} = ${pubkey} and ${isSeen}))`
    : sql`true`
  // Candidates are read in order, so that reading stops once the page is full.
  const page = sql`
    select ${pubkey} from candidates as ${registryListings} where ${isSeenToo} and ${isFound} order by ${inOrder} limit ${$.limit}`
  // The last step of a walk that used all its steps without filling the page: the next page starts there.
  const reached = sql`
    select ${registeredAt} as reached_at, ${pubkey} as reached_key from candidates as ${registryListings}
    where not ${areFew} and (select count(*) from page) < ${$.limit}
    order by ${inOrder} limit 1 offset ${$.steps} - 1`
  return db
    .select({
      reachedAt: sql<Date | null>`reached_at`.mapWith(registeredAt),
      reachedKey: sql<Wallet | null>`reached_key`,
      entry: publicEntry,
      endpoint: agentEndpointState,
    })
    .from(
      sql`(
        with ${rarest.ctes},
          extent as materialized (select ${isFew} as are_few),
          candidates as materialized (${candidates}),
          page as materialized (${page})
        select reached.*, array(table page) as page from (values (1)) as one left join (${reached}) as reached on true) as found`,
    )
    .leftJoin(registryAgents, sql`${registryAgents.pubkey} = any (page)`)
    .leftJoin(agentEndpoints, isAgentEndpointOf(registryAgents))
    .orderBy(desc(registryAgents.registeredAt), desc(registryAgents.pubkey))
})

/** A page of a search. `reached` is the cursor of the next page if the walk ended before the list did. */
export type FoundEntries = { agents: ReadRegisteredAgent[]; reached: RegistryCursor | undefined }

/**
 * A filter with conditions outside the list's index: words, and the last known state of agent endpoints.
 */
export type EntrySearch = RegistryFilter & AgentEndpointFilter & { q?: string | undefined }

/**
 * Finds entries by words (name, type, capabilities, description) and by the state of their endpoint: up to
 * `limit` after a cursor, the latest registered key first. For each word of the text, an entry must have a
 * word that begins with it.
 *
 * Up to a thousand hits are read and sorted. Above that the list is walked in its order, 2,000 steps for a
 * page. A page may then have fewer entries than `limit`, or none, and `reached` starts the next.
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
    { text: q !== undefined, endpoint: asksForAgentEndpoint({ endpoint, card }) },
  )
  const { reachedAt, reachedKey } = rows[0] ?? {}
  const reached = reachedAt && reachedKey ? { registeredAt: reachedAt, pubkey: reachedKey } : undefined
  return { agents: rows.flatMap(({ entry, endpoint }) => (entry ? { ...entry, endpoint } : [])), reached }
}
