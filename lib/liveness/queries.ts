import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agentEndpoints } from '../../schema/tables/agent-endpoints.ts'
import type { DocumentKind } from '../../schema/values.ts'
import { sha256HexOf } from '../db/hash.ts'

/*
 * What is known of an endpoint, as parts of the statements that read agents: a left join on `isEndpointOf`,
 * and what to select of it.
 */

/**
 * What is shown of an endpoint, and how its host calls which agent. The first column is never null where
 * there is a row.
 */
export const endpointState = {
  status: agentEndpoints.status,
  checkedAt: agentEndpoints.checkedAt,
  latencyMs: agentEndpoints.latencyMs,
  uptime30d: agentEndpoints.uptime30d,
  isAuthRequired: agentEndpoints.isAuthRequired,
  cardStatus: agentEndpoints.cardStatus,
  identifier: agentEndpoints.identifier,
  identifies: agentEndpoints.identifies,
}

/** The same as a row has it; null where nothing has ever been noted of the endpoint. */
export type EndpointState = Pick<typeof agentEndpoints.$inferSelect, keyof typeof endpointState>

type Named = { apiEndpoint: SQLWrapper; apiProtocol: SQLWrapper }

/** Whether a row of {@link endpoints} is of the endpoint that an agent or entry names. */
export const isEndpointOf = ({ apiEndpoint, apiProtocol }: Named) =>
  and(eq(agentEndpoints.urlHash, sha256HexOf(apiEndpoint)), eq(agentEndpoints.protocol, apiProtocol))

/** The table to join. */
export const endpoints = agentEndpoints

/**
 * Whether an endpoint that can be looked at is named, and its state is this one: what reads show as
 * `endpoint.status`. Who names none is in no state.
 */
export const isInState = (named: Named, state: SQLWrapper) =>
  sql`(${named.apiEndpoint} is not null and ${named.apiProtocol} is not null and ${state} = coalesce(
    (select ${agentEndpoints.status} from ${agentEndpoints} where ${isEndpointOf(named)}), 'unknown'))`

/** How an agent (`<kind>:<key>`) is called by the host of the endpoint that it names, as a column. */
export const ownIdentifierOf = (named: Named, subject: SQL) =>
  sql<string | null>`(select ${agentEndpoints.identifier} from ${agentEndpoints}
    where ${isEndpointOf(named)} and ${agentEndpoints.identifies} = ${subject})`

/** The keys of the agents of a kind that endpoints' hosts call so, as rows of `key`. Some may be of others by now. */
export const identifiedKeys = (kind: DocumentKind, identifier: SQL): SQL => sql`
  select split_part(${agentEndpoints.identifies}, ':', 2) as key from ${agentEndpoints}
  where ${agentEndpoints.identifier} = ${identifier} and split_part(${agentEndpoints.identifies}, ':', 1) = ${sql.raw(`'${kind}'`)}`

/**
 * The text of the agent card that the endpoint's own host serves, as a column; null without one, and while it
 * is down.
 */
export const ownCardOf = (named: Named) =>
  sql<string | null>`(select ${agentEndpoints.card} from ${agentEndpoints}
    where ${isEndpointOf(named)} and ${agentEndpoints.status} = 'live')`
