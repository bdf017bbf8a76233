import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { type HostQueue, hostQueues } from '../../schema/values.ts'
import { isNamedByUsed } from '../agents/parts/part-queries.ts'
import { rowJson } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import type { ProbeState } from './probe-state.ts'

/**
 * A leased endpoint with its state, and whether an agent that names it was used lately.
 */
export type LeasedEndpoint = { endpoint: typeof agentEndpoints.$inferSelect; isUsed: boolean }

/** An endpoint's key with its state after a probe. */
export type ProbedState = Pick<LeasedEndpoint['endpoint'], 'urlHash' | 'protocol'> & ProbeState

/** Encodes a state for Postgres functions. */
export const probeStateJson = (state: ProbedState) => rowJson(agentEndpoints, state)

const nextHosts = read({}, (db) => {
  const nextOf = (queue: HostQueue) => sql`(select ${probedHosts.nextTurnAt} from ${probedHosts}
    where ${probedHosts.queue} = ${sql.raw(`'${queue}'`)} and ${probedHosts.nextTurnAt} is not null
    order by ${probedHosts.nextTurnAt} limit 1)`
  const others = hostQueues.filter((queue) => queue !== 'first').map(nextOf)
  const instant = (value: SQL) => value.mapWith(probedHosts.nextTurnAt) as SQL<Date | null>
  return db
    .select({ first: instant(nextOf('first')), others: instant(sql`least(${sql.join(others, sql`, `)})`) })
    .from(sql`(select) as once`)
})

/** The times when the next host is due: of hosts that wait for their first probe, and of others. */
export type NextHosts = { first: Date | null; others: Date | null }

export async function selectNextHosts(db: Db): Promise<NextHosts> {
  const [next] = await nextHosts.run(db, {})
  return next ?? { first: null, others: null }
}

/**
 * Reads the endpoints that lease_host has leased with a host, in the same transaction; they are due again
 * when the lease ends. Endpoints last seen live come first, then those probed longest ago. An agent was used
 * lately if it is listed beyond `usedAfter`.
 */
export const leasedEndpoints = read(
  { queue: probedHosts.queue, lease: 'uuid', leaseEnd: 'timestamptz', usedAfter: 'timestamptz' },
  (db, $) =>
    db
      .select({ endpoint: agentEndpoints, isUsed: isNamedByUsed(agentEndpoints, $.usedAfter) })
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
