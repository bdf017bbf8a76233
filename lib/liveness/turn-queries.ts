import { and, asc, eq, getTableColumns, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { boolean, doublePrecision, integer, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import type { AgentEndpointStatus, CardStatus } from '../../schema/values.ts'
import { columnsOf, computed, hasRows, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { Sight } from './sight.ts'

/** An endpoint as it was leased, with all that is known of it. */
export type LeasedEndpoint = typeof agentEndpoints.$inferSelect

/** Hosts wait in four queues: none of the others delays what is live and quick. */
export type Queue = { isLive: boolean; isSlow: boolean }

/** A host's turn: its endpoints that are due, ours to look at one after the other. */
export type Turn = { host: string; slowUntil: Date | null; lease: string; endpoints: LeasedEndpoint[] }

type Lease = Queue & { lease: string; now: Date; leaseEnd: Date; limit: number }

const dueColumns = computed({ urlHash: text('url_hash'), protocol: text() })

/** So many of a turn are not for what was live, so that a host of many live ones has new ones looked at. */
const KEPT_FOR_OTHERS = 2

const turnLease = statement(
  {
    isLive: probedHosts.isLive,
    isSlow: probedHosts.isSlow,
    lease: 'uuid',
    now: 'timestamptz',
    leaseEnd: 'timestamptz',
    limit: 'integer',
  },
  (db, $) => {
    const { host, isLive, isSlow, nextTurnAt, slowUntil, admissions } = probedHosts
    const turn = db.$with('turn').as(
      db
        .select({ host, admissions })
        .from(probedHosts)
        .where(and(eq(isLive, $.isLive), eq(isSlow, $.isSlow), lte(nextTurnAt, $.now)))
        .orderBy(asc(nextTurnAt))
        .limit(1)
        .for('update', { skipLocked: true }),
    )
    const isAtHost = sql`${agentEndpoints.host} = (select ${turn.host} from ${turn})`
    const dueWhere = (isIt: SQL, limit: SQL) => sql`
      select ${agentEndpoints.urlHash}, ${agentEndpoints.protocol} from ${agentEndpoints}
      where ${isAtHost} and ${isIt} and ${agentEndpoints.nextProbeAt} <= ${$.now}
      order by ${agentEndpoints.nextProbeAt} limit ${limit} for update skip locked`
    const due = db.$with('due', dueColumns).as(sql`
      with live as materialized (
          ${dueWhere(sql`${agentEndpoints.status} = 'live'`, sql`greatest(${$.limit} - ${sql.raw(String(KEPT_FOR_OTHERS))}, 1)`)}),
        others as materialized (
          ${dueWhere(sql`${agentEndpoints.status} <> 'live'`, sql`${$.limit} - (select count(*) from live)`)})
      select * from live union all select * from others`)
    const leased = db.$with('leased').as(
      db
        .update(agentEndpoints)
        .set({ lease: $.lease, nextProbeAt: $.leaseEnd })
        .from(due)
        .where(
          and(eq(agentEndpoints.urlHash, due.urlHash), sql`${agentEndpoints.protocol} = ${due.protocol}`),
        )
        .returning(getTableColumns(agentEndpoints)),
    )
    // The endpoints that brought the turn about may be gone. Then the host waits for its next one, if there
    // is: and for the one that was put in line too late for this statement to see.
    const seen = sql`(select ${admissions} from ${probedHosts} where ${host} = (select ${turn.host} from ${turn}))`
    const later = sql`(
      select case when count(*) > 0 then greatest(${$.leaseEnd}, min(${agentEndpoints.nextProbeAt})) end
      from ${agentEndpoints} where ${isAtHost} and ${agentEndpoints.nextProbeAt} is not null)`
    const held = db.$with('held').as(
      db
        .update(probedHosts)
        .set({
          freeAt: $.leaseEnd,
          nextTurnAt: sql`case when ${hasRows(due)} or ${turn.admissions} <> ${seen}
            then ${$.leaseEnd} else ${later} end`,
        })
        .from(turn)
        .where(eq(host, turn.host))
        .returning({ host, slowUntil }),
    )
    return db
      .with(turn, due, leased, held)
      .select({ host: held.host, slowUntil: held.slowUntil, endpoint: columnsOf(leased) })
      .from(held)
      .leftJoin(leased, sql`true`)
  },
)

/**
 * Leases the host of a queue that has waited longest for its turn, and up to `limit` of its endpoints that
 * are due: first those that were live, since anyone can name others at the same host. Until `leaseEnd` nobody
 * else gets the host; if by then nothing was recorded, it is due again.
 * @returns undefined when no host is due
 */
export async function leaseTurn(db: Db, lease: Lease): Promise<Turn | undefined> {
  const rows = await turnLease.run(db, lease)
  const [first] = rows
  if (!first) return undefined
  const endpoints = rows.flatMap(({ endpoint }) => (endpoint === null ? [] : [endpoint]))
  return { host: first.host, slowUntil: first.slowUntil, lease: lease.lease, endpoints }
}

/** Of which endpoint, and what is known of it now. */
export type Sighted = Pick<LeasedEndpoint, 'urlHash' | 'protocol'> & Sight

const instant = () => timestamp({ withTimezone: true, precision: 3 })

const sightColumns = computed({
  urlHash: text(),
  protocol: text(),
  status: text().$type<AgentEndpointStatus>(),
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
  {
    host: 'text',
    lease: 'uuid',
    sights: 'json',
    isSlow: 'boolean',
    slowUntil: 'timestamptz?',
    freeAt: 'timestamptz',
  },
  (db, $) => {
    const { urlHash, protocol, host, lease, status, nextProbeAt } = agentEndpoints
    const before = db
      .$with('before')
      .as(
        db
          .select({ admissions: probedHosts.admissions })
          .from(probedHosts)
          .where(eq(probedHosts.host, $.host)),
      )
    const sight = db.$with('sight', sightColumns).as(sql`select * from ${recordset($.sights, sightColumns)}`)
    // By the index of what is due at a host, since what is leased is; locked in the order in which the
    // triggers lock them.
    const ours = db.$with('ours').as(
      db
        .select({ urlHash, protocol })
        .from(agentEndpoints)
        .where(and(eq(host, $.host), isNotNull(nextProbeAt), eq(lease, $.lease)))
        .orderBy(asc(urlHash), asc(protocol))
        .for('update'),
    )
    const { urlHash: _, protocol: __, ...seen } = columnsOf(sight)
    const recorded = db.$with('recorded').as(
      db
        .update(agentEndpoints)
        .set({ ...seen, lease: null })
        .from(sight)
        .innerJoin(ours, and(eq(ours.urlHash, sight.urlHash), sql`${ours.protocol} = ${sight.protocol}`))
        .where(and(eq(urlHash, ours.urlHash), eq(protocol, ours.protocol)))
        .returning({ nextProbeAt, status }),
    )
    // What this statement changes it still reads as it was: under the lease.
    const isElsewhere = sql`${host} = ${$.host} and ${nextProbeAt} is not null and ${lease} is distinct from ${$.lease}`
    const isLive = sql`(exists (select from ${recorded} where ${recorded.status} = 'live')
      or exists (select from ${agentEndpoints} where ${isElsewhere} and ${status} = 'live'))`
    const next = sql`least(
      (select min(${recorded.nextProbeAt}) from ${recorded}),
      (select min(${nextProbeAt}) from ${agentEndpoints} where ${isElsewhere}))`
    return db
      .with(before, sight, ours, recorded)
      .update(probedHosts)
      .set({
        isLive,
        isSlow: $.isSlow,
        slowUntil: $.slowUntil,
        freeAt: $.freeAt,
        // `next` has not seen what was put in line meanwhile.
        nextTurnAt: sql`case
          when ${probedHosts.admissions} <> ${before.admissions} then ${$.freeAt}
          when ${next} is not null then greatest(${$.freeAt}, ${next}) end`,
      })
      .from(before)
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
  turn: { host: string; lease: string; isSlow: boolean; slowUntil: Date | null; freeAt: Date },
  sights: Sighted[],
): Promise<void> {
  await turnRecord.run(db, { ...turn, sights })
}
