import { asc, desc, type SQL, sql } from 'drizzle-orm'
import { registryAgentTypes } from '../../schema/registry.ts'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import { ANY, registryListings } from '../../schema/tables/registry-listings.ts'
import { protocolOf, resource } from '../discovery/search/resource-queries.ts'
import { namedByHosts, ownIdentifierOf } from '../liveness/queries.ts'

/**
 * Selects the keys of active entries as candidates for any need. Half of `limit` are the oldest, a quarter
 * are named by their own hosts, a quarter are the newest. So new entries, which cost nothing, displace only
 * the last quarter.
 */
export const firstRegisteredKeys = (limit: SQL): SQL => sql`
  ${endOfEachType(asc, sql`${limit} / 2`)}
  union ${namedByHosts('registered', sql`${limit} / 4`)}
  union ${endOfEachType(desc, sql`${limit} / 4`)}`

/** Selects the oldest or newest entries of each type, one range of the index for each. */
function endOfEachType(order: typeof asc | typeof desc, limit: SQL): SQL {
  const { layer, capability, agentType, registeredAt, pubkey } = registryListings
  const types = sql.raw(`'{${registryAgentTypes.join(',')}}'::text[]`)
  return sql`
    select first.key from unnest(${types}) as one_type, lateral (
      select ${pubkey} as key from ${registryListings}
      where ${layer} = ${sql.raw(String(ANY.layer))} and ${capability} = '' and ${agentType} = one_type
      order by ${order(registeredAt)}, ${order(pubkey)} limit ${limit} / ${sql.raw(String(registryAgentTypes.length))}) as first`
}

/** Selects the active entries of these keys, in the columns of search results, without a reputation. */
export const registeredResources = (keys: SQL): SQL => sql`
  select ${resource({
    kind: sql`'registered'`,
    key: sql`${registryAgents.pubkey}`,
    name: sql`${registryAgents.name}`,
    description: sql`${registryAgents.description}`,
    agentType: sql`${registryAgents.agentType}`,
    feeModel: sql`${registryAgents.feeModel}`,
    capabilities: sql`${registryAgents.capabilities}`,
    protocol: protocolOf(registryAgents.apiEndpoint, registryAgents.apiProtocol),
    apiEndpoint: sql`${registryAgents.apiEndpoint}`,
    identifier: ownIdentifierOf(registryAgents, sql`'registered:' || ${registryAgents.pubkey}`),
    reputationScore: sql`null::double precision`,
    paidPerRequest: sql`null::boolean`,
    updatedAt: sql`${registryAgents.updatedAt}`,
  })}
  from ${registryAgents} where ${registryAgents.pubkey} = any (array(${keys})) and ${registryAgents.status} = 'active'`
