import { and, asc, eq, sql } from 'drizzle-orm'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { rowJson } from '../db/columns.ts'
import { read } from '../db/statement.ts'
import type { ProbeState } from './probe-state.ts'

/** An endpoint as it was leased, with all that is known of it. */
export type LeasedEndpoint = typeof agentEndpoints.$inferSelect

/** An endpoint's key with its state after a look. */
export type ProbedState = Pick<LeasedEndpoint, 'urlHash' | 'protocol'> & ProbeState

/** A state as functions of Postgres take it. */
export const probeStateJson = (state: ProbedState) => rowJson(agentEndpoints, state)

/**
 * Reads the endpoints that were leased with a host of a queue, in the transaction of lease_turn: a host with
 * such endpoints, and each of them, is due next when the lease ends. Endpoints last seen live come first, of
 * these the one that was looked at longest ago.
 */
export const leasedEndpoints = read(
  { queue: probedHosts.queue, lease: 'uuid', leaseEnd: 'timestamptz' },
  (db, $) =>
    db
      .select({ endpoint: agentEndpoints })
      .from(probedHosts)
      .innerJoin(agentEndpoints, eq(agentEndpoints.host, probedHosts.host))
      .where(
        and(
          eq(probedHosts.queue, $.queue),
          eq(probedHosts.nextTurnAt, $.leaseEnd),
          eq(agentEndpoints.nextProbeAt, $.leaseEnd),
          eq(agentEndpoints.lease, $.lease),
        ),
      )
      .orderBy(
        sql`${agentEndpoints.status} = 'live' desc`,
        sql`${agentEndpoints.checkedAt} nulls first`,
        asc(agentEndpoints.number),
      ),
)
