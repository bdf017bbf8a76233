import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agentEndpoints } from '../../schema/tables/agent-endpoints.ts'
import type { AgentEndpointStatus, CardStatus, DocumentKind } from '../../schema/values.ts'
import { sha256HexOf } from '../db/hash.ts'

/*
 * SQL fragments that add the state of an endpoint to statements that read agents: a left join on
 * `isAgentEndpointOf`, and the columns to select.
 */

/**
 * The public columns of an endpoint, and the identifier that its host gives to an agent. The first column is
 * never null if there is a row.
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

/** A row of these columns; null values if the endpoint has never been probed. */
export type AgentEndpointState = Pick<typeof agentEndpoints.$inferSelect, keyof typeof agentEndpointState>

/** The probes and successes of an endpoint per day; the table documents their order. */
export const agentEndpointTally = {
  countedDay: agentEndpoints.countedDay,
  dayChecks: agentEndpoints.dayChecks,
  daySuccesses: agentEndpoints.daySuccesses,
}

type Named = { apiEndpoint: SQLWrapper; apiProtocol: SQLWrapper }

/** The condition that a row of {@link agentEndpoints} is the endpoint of an agent or entry. */
export const isAgentEndpointOf = ({ apiEndpoint, apiProtocol }: Named) =>
  and(eq(agentEndpoints.urlHash, sha256HexOf(apiEndpoint)), eq(agentEndpoints.protocol, apiProtocol))

/** The table to join. */
export { agentEndpoints }

/** Filters of lists by `endpoint.status` and `endpoint.card`. */
export type AgentEndpointFilter = {
  endpoint?: AgentEndpointStatus | undefined
  card?: CardStatus | undefined
}

export const asksForAgentEndpoint = ({ endpoint, card }: AgentEndpointFilter): boolean =>
  endpoint !== undefined || card !== undefined

/** The parameters of these filters. */
export const agentEndpointParameters = { endpoint: 'text?', card: 'text?' } as const

/**
 * The condition that an endpoint's state passes the filters, if there are any. An agent or entry without a
 * probed endpoint has no state, and fails them.
 */
export const isSeenAs = (named: Named, $: { endpoint: SQLWrapper; card: SQLWrapper }) => {
  const isShown = (column: SQLWrapper, unseen: string, wanted: SQLWrapper) =>
    sql`(${wanted} is null or ${wanted} = coalesce(
      (select ${column} from ${agentEndpoints} where ${isAgentEndpointOf(named)}), ${sql.raw(`'${unseen}'`)}))`
  return sql`(coalesce(${$.endpoint}, ${$.card}) is null or ${named.apiEndpoint} is not null and ${named.apiProtocol} is not null
    and ${isShown(agentEndpoints.status, 'unknown', $.endpoint)} and ${isShown(agentEndpoints.cardStatus, 'none', $.card)})`
}

/** Selects the identifier that an endpoint's host gives to an agent (`<kind>:<key>`). */
export const ownIdentifierOf = (named: Named, subject: SQL) =>
  sql<string | null>`(select ${agentEndpoints.identifier} from ${agentEndpoints}
    where ${isAgentEndpointOf(named)} and ${agentEndpoints.identifies} = ${subject})`

/**
 * Selects the keys of agents of a kind to which endpoints' hosts give an identifier. Some agents may have
 * moved to other endpoints.
 */
export const identifiedKeys = (kind: DocumentKind, identifier: SQL): SQL => sql`
  select split_part(${agentEndpoints.identifies}, ':', 2) as key from ${agentEndpoints}
  where ${agentEndpoints.identifier} = ${identifier} and split_part(${agentEndpoints.identifies}, ':', 1) = ${sql.raw(`'${kind}'`)}`

/**
 * Selects the keys of agents that hosts of live endpoints name, earliest endpoints first. Some
 * agents may have moved to other endpoints.
 */
export const namedByHosts = (kind: DocumentKind, limit: SQL): SQL => sql`(
  select split_part(${agentEndpoints.identifies}, ':', 2) as key from ${agentEndpoints}
  where ${agentEndpoints.status} = 'live' and split_part(${agentEndpoints.identifies}, ':', 1) = ${sql.raw(`'${kind}'`)}
  order by ${agentEndpoints.number} limit ${limit})`

/**
 * Selects the text of the agent card that the endpoint's host serves; null without one, and while it is down.
 */
export const ownCardOf = (named: Named) =>
  sql<string | null>`(select ${agentEndpoints.card} from ${agentEndpoints}
    where ${isAgentEndpointOf(named)} and ${agentEndpoints.status} = 'live')`
