import { desc, type SQL, sql } from 'drizzle-orm'
import { agentListings, EVERY_LAYER } from '../../../schema/tables/agent-listings.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { protocolOf, resource } from '../../discovery/search/resource-queries.ts'
import { ownIdentifierOf } from '../../liveness/queries.ts'

/** Selects the keys of the first active agents of the list. */
export const firstAgentKeys = (limit: SQL): SQL => sql`
  select ${agentListings.agentId}::text as key from ${agentListings}
  where ${agentListings.layer} = ${sql.raw(String(EVERY_LAYER))} and ${agentListings.status} = 'active'
  order by ${desc(agentListings.reputationScore)}, ${desc(agentListings.agentId)} limit ${limit}`

/** Selects the active agents of these ids, in the columns of search results. */
export const agentResources = (keys: SQL): SQL => sql`
  select ${resource({
    kind: sql`'agent'`,
    key: sql`${agents.id}::text`,
    name: sql`${agents.name}`,
    description: sql`${agents.description}`,
    agentType: sql`${agents.agentType}`,
    feeModel: sql`${agents.feeModel}`,
    capabilities: sql`layer_names(${agents.supportedLayers})`,
    protocol: protocolOf(agents.apiEndpoint, agents.apiProtocol),
    apiEndpoint: sql`${agents.apiEndpoint}`,
    identifier: ownIdentifierOf(agents, sql`'agent:' || ${agents.id}`),
    reputationScore: sql`${agents.reputationScore}`,
    paidPerRequest: sql`${agents.requestPrices} > 0`,
    updatedAt: sql`null::timestamptz`,
  })}
  from ${agents} where ${agents.id} = any (array(select key::uuid from (${keys}) as keys)) and ${agents.status} = 'active'`
