import { and, asc, eq, getTableColumns, isNotNull, lte, sql } from 'drizzle-orm'
import { boolean, doublePrecision, integer, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import type { CardStatus, EndpointStatus } from '../../schema/values.ts'
import { columnsOf, computed, hasRows, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { Sight } from './sight.ts'

/** An endpoint as it was leased, with all that is known of it. */
export type LeasedEndpoint = typeof agentEndpoints.$inferSelect

/** A host's turn: its endpoints that are due, ours to look at one after the other. */
export type Turn = { host: string; lease: string; endpoints: LeasedEndpoint[] }

type Lease = { isLive: boolean; lease: string; now: Date; leaseEnd: Date; limit: number }

const turnLease = statement(
  {
    isLive: probedHosts.isLive,
    lease: 'uuid',
    now: 'timestamptz',
    leaseEnd: 'timestamptz',
    limit: 'integer',
  },
  (db, $) => {
    const turn = db.$with('turn').as(
      db
        .select({ host: probedHosts.host })
        .from(probedHosts)
        .where(and(eq(probedHosts.isLive, $.isLive), lte(probedHosts.nextTurnAt, $.now)))
        .orderBy(asc(probedHosts.nextTurnAt))
        .limit(1)
        .for('update', { skipLocked: true }),
    )
    const isAtHost = sql`${agentEndpoints.host} = (select ${turn.host} from ${turn})`
    const due = db.$with('due').as(
      db
        .select({ urlHash: agentEndpoints.urlHash, protocol: agentEndpoints.protocol })
        .from(agentEndpoints)
        .where(and(isAtHost, lte(agentEndpoints.nextProbeAt, $.now)))
        .orderBy(asc(agentEndpoints.nextProbeAt))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    )
    const leased = db.$with('leased').as(
      db
        .update(agentEndpoints)
        .set({ lease: $.lease, nextProbeAt: $.leaseEnd })
        .from(due)
        .where(and(eq(agentEndpoints.urlHash, due.urlHash), eq(agentEndpoints.protocol, due.protocol)))
        .returning(getTableColumns(agentEndpoints)),
    )
    // The endpoints that brought the turn about may be gone. Then the host waits for its next one, if there
    // is.
    const later = sql`(
      select case when count(*) > 0 then greatest(${$.leaseEnd}, min(${agentEndpoints.nextProbeAt})) end
      from ${agentEndpoints} where ${isAtHost} and ${agentEndpoints.nextProbeAt} is not null)`
    const held = db.$with('held').as(
      db
        .update(probedHosts)
        .set({
          freeAt: $.leaseEnd,
          nextTurnAt: sql`case when ${hasRows(due)} then ${$.leaseEnd} else ${later} end`,
        })
        .from(turn)
        .where(eq(probedHosts.host, turn.host))
        .returning({ host: probedHosts.host }),
    )
    return db
      .with(turn, due, leased, held)
      .select({ host: held.host, endpoint: columnsOf(leased) })
      .from(held)
      .leftJoin(leased, sql`true`)
  },
)

/**
 * Leases the host that has waited longest for its turn, and up to `limit` of its endpoints that are due.
 * Until `leaseEnd` nobody else gets the host; if by then nothing was recorded, it is due again.
 * @param lease.isLive which of the two queues
 * @returns undefined when no host is due
 */
export async function leaseTurn(db: Db, lease: Lease): Promise<Turn | undefined> {
  const rows = await turnLease.run(db, lease)
  const [first] = rows
  if (!first) return undefined
  const endpoints = rows.flatMap(({ endpoint }) => (endpoint === null ? [] : [endpoint]))
  return { host: first.host, lease: lease.lease, endpoints }
}

/** Of which endpoint, and what is known of it now. */
export type Sighted = Pick<LeasedEndpoint, 'urlHash' | 'protocol'> & Sight

const instant = () => timestamp({ withTimezone: true, precision: 3 })

const sightColumns = computed({
  urlHash: text(),
  protocol: text(),
  status: text().$type<EndpointStatus>(),
  checkedAt: instant(),
  latencyMs: integer(),
  isAuthRequired: boolean(),
  cardStatus: text().$type<CardStatus>(),
  card: text(),
  etag: text(),
  identifier: text(),
  identifies: text(),
  manifestEtag: text(),
  failingSince: instant(),
  failures: smallint(),
  countedDay: integer(),
  dayChecks: smallint().array(),
  daySuccesses: smallint().array(),
  uptime30d: doublePrecision(),
  robotsReadAt: instant(),
  isOptedOut: boolean(),
  nextProbeAt: instant(),
} satisfies Record<keyof Sighted, unknown>)

const turnRecord = statement(
  { host: 'text', lease: 'uuid', sights: 'json', isLive: 'boolean', freeAt: 'timestamptz' },
  (db, $) => {
    const sight = db.$with('sight', sightColumns).as(sql`select * from ${recordset($.sights, sightColumns)}`)
    const { urlHash: _, protocol: __, ...seen } = columnsOf(sight)
    const recorded = db.$with('recorded').as(
      db
        .update(agentEndpoints)
        .set({ ...seen, lease: null })
        .from(sight)
        .where(
          and(
            eq(agentEndpoints.urlHash, sight.urlHash),
            sql`${agentEndpoints.protocol} = ${sight.protocol}`,
            // By the index of what is due at a host; what is leased is.
            eq(agentEndpoints.host, $.host),
            isNotNull(agentEndpoints.nextProbeAt),
            eq(agentEndpoints.lease, $.lease),
          ),
        )
        .returning({ nextProbeAt: agentEndpoints.nextProbeAt }),
    )
    // What this statement changes it still reads as it was: under the lease.
    const next = sql`least(
      (select min(${recorded.nextProbeAt}) from ${recorded}),
      (select min(${agentEndpoints.nextProbeAt}) from ${agentEndpoints}
        where ${agentEndpoints.host} = ${$.host} and ${agentEndpoints.nextProbeAt} is not null
          and ${agentEndpoints.lease} is distinct from ${$.lease}))`
    return db
      .with(sight, recorded)
      .update(probedHosts)
      .set({
        isLive: $.isLive,
        freeAt: $.freeAt,
        nextTurnAt: sql`case when ${next} is not null then greatest(${$.freeAt}, ${next}) end`,
      })
      .where(and(eq(probedHosts.host, $.host), hasRows(recorded)))
  },
)

/**
 * Records what was seen in a turn and frees its host, unless the lease has run out and another has leased the
 * endpoints.
 * @param turn.freeAt the host's next turn is not before this
 */
export async function recordTurn(
  db: Db,
  turn: { host: string; lease: string; isLive: boolean; freeAt: Date },
  sights: Sighted[],
): Promise<void> {
  await turnRecord.run(db, { ...turn, sights })
}
