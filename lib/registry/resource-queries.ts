import { desc, type SQL, sql } from 'drizzle-orm'
import { registryAgentTypes } from '../../schema/registry.ts'
import { registryAgents } from '../../schema/tables/registry-agents.ts'
import { ANY, registryListings } from '../../schema/tables/registry-listings.ts'
import { ownIdentifierOf } from '../liveness/queries.ts'
import { protocolOf, resource } from '../search/resource-queries.ts'

/** The active entries that are first in the list, as rows of `key`. */
export const firstRegisteredKeys = (limit: SQL): SQL => {
  const { layer, capability, agentType, registeredAt, pubkey } = registryListings
  const inOrder = sql`${desc(registeredAt)}, ${desc(pubkey)}`
  const types = sql.raw(`'{${registryAgentTypes.join(',')}}'::text[]`)
  // Of each type the first are one range of the index, which has them in order.
  return sql`
    select ${pubkey} as key from (
      select first.* from unnest(${types}) as one_type, lateral (
        select ${registeredAt}, ${pubkey} from ${registryListings}
        where ${layer} = ${sql.raw(String(ANY.layer))} and ${capability} = '' and ${agentType} = one_type
        order by ${inOrder} limit ${limit} / ${sql.raw(String(registryAgentTypes.length))}) as first) as ${registryListings}`
}

/** The active entries of these keys, in the columns that search has. Nothing is known of their reputation. */
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
    updatedAt: sql`${registryAgents.updatedAt}`,
  })}
  from ${registryAgents} where ${registryAgents.pubkey} = any (array(${keys})) and ${registryAgents.status} = 'active'`
