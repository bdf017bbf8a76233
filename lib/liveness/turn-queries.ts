import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { type HostQueue, hostQueues } from '../../schema/values.ts'
import { isNamedByUsed } from '../agents/parts/part-queries.ts'
import { rowJson } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import type { ProbeState } from './probe-state.ts'

/**
 * An endpoint as it was leased, with all that is known of it, and whether an agent that names it was used
 * lately.
 */
export type LeasedEndpoint = { endpoint: typeof agentEndpoints.$inferSelect; isUsed: boolean }

/** An endpoint's key with its state after a look. */
export type ProbedState = Pick<LeasedEndpoint['endpoint'], 'urlHash' | 'protocol'> & ProbeState

/** A state as functions of Postgres take it. */
export const probeStateJson = (state: ProbedState) => rowJson(agentEndpoints, state)

const nextTurns = read({}, (db) => {
  const nextOf = (queue: HostQueue) => sql`(select ${probedHosts.nextTurnAt} from ${probedHosts}
    where ${probedHosts.queue} = ${sql.raw(`'${queue}'`)} and ${probedHosts.nextTurnAt} is not null
    order by ${probedHosts.nextTurnAt} limit 1)`
  const others = hostQueues.filter((queue) => queue !== 'first').map(nextOf)
  const instant = (value: SQL) => value.mapWith(probedHosts.nextTurnAt) as SQL<Date | null>
  return db
    .select({ first: instant(nextOf('first')), others: instant(sql`least(${sql.join(others, sql`, `)})`) })
    .from(sql`(select) as once`)
})

/** When the next turn is due of a host that waits for its first look, and of another one. */
export type NextTurns = { first: Date | null; others: Date | null }

export async function selectNextTurns(db: Db): Promise<NextTurns> {
  const [next] = await nextTurns.run(db, {})
  return next ?? { first: null, others: null }
}

/**
 * Reads the endpoints that were leased with a host of a queue, in the transaction of lease_turn: a host with
 * such endpoints, and each of them, is due next when the lease ends. Endpoints last seen live come first, of
 * these the one that was looked at longest ago. An agent was used lately if it is listed beyond `usedAfter`.
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
