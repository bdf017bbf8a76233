import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agentEndpoints } from '../../schema/tables/agent-endpoints.ts'
import type { AgentEndpointStatus, CardStatus, DocumentKind } from '../../schema/values.ts'
import { sha256HexOf } from '../db/hash.ts'

/*
 * What is known of an endpoint, as parts of the statements that read agents: a left join on
 * `isAgentEndpointOf`, and what to select of it.
 */

/**
 * What is shown of an endpoint, and how its host calls which agent. The first column is never null where
 * there is a row.
 */
export const agentEndpointState = {
  status: agentEndpoints.status,
  checkedAt: agentEndpoints.checkedAt,
  nextProbeAt: agentEndpoints.nextProbeAt,
  latencyMs: agentEndpoints.latencyMs,
  uptime30d: agentEndpoints.uptime30d,
  isAuthRequired: agentEndpoints.isAuthRequired,
  cardStatus: agentEndpoints.cardStatus,
  identifier: agentEndpoints.identifier,
  identifies: agentEndpoints.identifies,
}

/** The same as a row has it; null where nothing has ever been noted of the endpoint. */
export type AgentEndpointState = Pick<typeof agentEndpoints.$inferSelect, keyof typeof agentEndpointState>

/** How often an endpoint was looked at and found live on its last days: see the table for their order. */
export const agentEndpointTally = {
  countedDay: agentEndpoints.countedDay,
  dayChecks: agentEndpoints.dayChecks,
  daySuccesses: agentEndpoints.daySuccesses,
}

type Named = { apiEndpoint: SQLWrapper; apiProtocol: SQLWrapper }

/** Whether a row of {@link agentEndpoints} is of the endpoint that an agent or entry names. */
export const isAgentEndpointOf = ({ apiEndpoint, apiProtocol }: Named) =>
  and(eq(agentEndpoints.urlHash, sha256HexOf(apiEndpoint)), eq(agentEndpoints.protocol, apiProtocol))

/** The table to join. */
export { agentEndpoints }

/** What lists can ask for of endpoints: what reads show as `endpoint.status` and `endpoint.card`. */
export type AgentEndpointFilter = {
  endpoint?: AgentEndpointStatus | undefined
  card?: CardStatus | undefined
}

export const asksForAgentEndpoint = ({ endpoint, card }: AgentEndpointFilter): boolean =>
  endpoint !== undefined || card !== undefined

/** The parameters of a statement that filters so. */
export const agentEndpointParameters = { endpoint: 'text?', card: 'text?' } as const

/**
 * Whether the named endpoint's state is the one that a filter asks for, if it asks for any. An agent or entry
 * that names no endpoint that can be looked at has no state, and is not found.
 */
export const isSeenAs = (named: Named, $: { endpoint: SQLWrapper; card: SQLWrapper }) => {
  const isShown = (column: SQLWrapper, unseen: string, wanted: SQLWrapper) =>
    sql`(${wanted} is null or ${wanted} = coalesce(
      (select ${column} from ${agentEndpoints} where ${isAgentEndpointOf(named)}), ${sql.raw(`'${unseen}'`)}))`
  return sql`(coalesce(${$.endpoint}, ${$.card}) is null or ${named.apiEndpoint} is not null and ${named.apiProtocol} is not null
    and ${isShown(agentEndpoints.status, 'unknown', $.endpoint)} and ${isShown(agentEndpoints.cardStatus, 'none', $.card)})`
}

/** How an agent (`<kind>:<key>`) is called by the host of the endpoint that it names, as a column. */
export const ownIdentifierOf = (named: Named, subject: SQL) =>
  sql<string | null>`(select ${agentEndpoints.identifier} from ${agentEndpoints}
    where ${isAgentEndpointOf(named)} and ${agentEndpoints.identifies} = ${subject})`

/**
 * The keys of the agents of a kind that endpoints' hosts call so, as rows of `key`. Some agents may have
 * moved to other endpoints.
 */
export const identifiedKeys = (kind: DocumentKind, identifier: SQL): SQL => sql`
  select split_part(${agentEndpoints.identifies}, ':', 2) as key from ${agentEndpoints}
  where ${agentEndpoints.identifier} = ${identifier} and split_part(${agentEndpoints.identifies}, ':', 1) = ${sql.raw(`'${kind}'`)}`

/**
 * The keys of the agents of a kind that the hosts of live endpoints name, as rows of `key`, by the
 * endpoints that were named here first. Some agents may have moved to other endpoints.
 */
export const namedByHosts = (kind: DocumentKind, limit: SQL): SQL => sql`(
  select split_part(${agentEndpoints.identifies}, ':', 2) as key from ${agentEndpoints}
  where ${agentEndpoints.status} = 'live' and split_part(${agentEndpoints.identifies}, ':', 1) = ${sql.raw(`'${kind}'`)}
  order by ${agentEndpoints.number} limit ${limit})`

/**
 * The text of the agent card that the endpoint's own host serves, as a column; null without one, and while it
 * is down.
 */
export const ownCardOf = (named: Named) =>
  sql<string | null>`(select ${agentEndpoints.card} from ${agentEndpoints}
    where ${isAgentEndpointOf(named)} and ${agentEndpoints.status} = 'live')`
