import { and, asc, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { deliveries, deliveryWalk } from '../../../schema/tables/events.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import { columnsOf, name } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { allEndpoints, type Endpoint, isGone } from '../all-endpoint-queries.ts'
import { isAwaitedAfterPause, isDestinationOf, isFailing, isPending } from '../destination-queries.ts'
import { SOON_MS } from '../limits.ts'

const dueParameters = {
  now: 'timestamptz',
  soon: 'timestamptz',
  since: 'timestamptz',
  steps: 'integer',
  limit: 'integer',
} as const

const dueEndpoints = statement(dueParameters, (db, $) => {
  const { endpointId, nextAttemptAt, lease } = deliveries
  const { isOnly, after } = deliveryWalk
  const start = sql`(select ${after} from ${deliveryWalk})`
  const first = (
    isWanted: SQL | undefined,
    column: typeof endpointId | typeof nextAttemptAt,
    ...others: (typeof lease)[]
  ) =>
    db
      .select(Object.fromEntries([column, ...others].map((each) => [each.name, each])))
      .from(deliveries)
      .where(and(isPending, isWanted))
      .orderBy(asc(column))
      .limit(1)
  // One index search for the next endpoint, and one for its first delivery: an endpoint may have any number
  // of held deliveries.
  const waiting = db.$with('waiting', { endpointId, nextAttemptAt, lease }).as(sql`
      with recursive endpoint (id, step) as (
        select (${first(sql`${endpointId} > ${start}`, endpointId)}), 1
        union all
        select (${first(sql`${endpointId} > endpoint.id`, endpointId)}), step + 1
        from endpoint where endpoint.id is not null and step < ${$.steps})
      select endpoint.id as ${name(endpointId)}, first.${name(nextAttemptAt)}, first.${name(lease)}
      from endpoint left join lateral (
        ${first(sql`${endpointId} = endpoint.id`, nextAttemptAt, lease)}) as first on true`)
  // A null after the last endpoint ends the walk; the next one begins with the first endpoint.
  const walked = db.$with('walked', { after }).as(sql`
      update ${deliveryWalk} set ${name(after)} = (
        select coalesce(${waiting.endpointId}, ${FIRST_ID}) from ${waiting} order by ${waiting.endpointId} desc nulls first limit 1)
      where ${isOnly} returning ${after}`)
  const endpoint = allEndpoints(db)
  const { wallet, provenAt, heldUntil, lastAttemptAt } = webhookTargets
  const wasTried = sql`(${isFailing} and ${lastAttemptAt} > ${$.since})`
  // The limit removes no row. It makes Postgres search the indexes once for each endpoint that waits.
  const live = db
    .select({
      url: endpoint.url,
      heldUntil,
      isProven: sql<boolean>`(${provenAt} is not null)`.as('is_proven'),
      isAwaited: sql<boolean>`(${wallet} is null or ${isAwaitedAfterPause(waiting.endpointId, $)})`.as(
        'is_awaited',
      ),
      wasTried: wasTried.as('was_tried'),
    })
    .from(endpoint)
    .leftJoin(webhookTargets, isDestinationOf(endpoint))
    .where(and(eq(endpoint.id, waiting.endpointId), sql`${endpoint.isLive}`))
    .limit(1)
    .as('live')
  const found = db.$with('found').as(
    db
      .select({
        id: waiting.endpointId,
        url: live.url,
        dueAt: sql<Date | null>`case when ${live.url} is not null
          then greatest(${waiting.nextAttemptAt}, ${live.heldUntil}) end`.as('due_at'),
        isProven: live.isProven,
        // A running attempt may be cut off.
        isAwaited: sql<boolean>`(${live.isAwaited} or ${waiting.lease} is not null)`.as('is_awaited'),
        wasTried: live.wasTried,
      })
      .from(waiting)
      .leftJoinLateral(live, sql`true`),
  )
  const isDue = lte(found.dueAt, $.now)
  const isLater = sql`filter (where not ${isDue}`
  const totals = db
    .select({
      isFirst: sql<boolean>`(${start} = ${FIRST_ID})`.as('is_first'),
      isLast: sql<boolean>`coalesce(bool_or(${found.id} is null), false)`.as('is_last'),
      due: sql<number>`(count(*) filter (where ${isDue}))`.mapWith(Number).as('due'),
      nextAt: sql<Date | null>`(min(${found.dueAt}) ${isLater}))`
        .mapWith(deliveries.nextAttemptAt)
        .as('next_at'),
      awaitedAt: sql<Date | null>`(min(${found.dueAt}) ${isLater} and ${found.isAwaited}))`
        .mapWith(deliveries.nextAttemptAt)
        .as('awaited_at'),
    })
    .from(found)
    .as('totals')
  const wanted = db
    .select({ id: found.id, url: found.url })
    .from(found)
    .where(and(isNotNull(found.id), or(isDue, and(isNull(found.url), isGone(found.id)))))
    .orderBy(
      sql`${found.url} is not null desc`,
      sql`coalesce(${found.wasTried}, false)`,
      sql`${found.isProven} is true desc`,
      asc(found.dueAt),
    )
    .limit($.limit)
    .as('wanted')
  return db
    .with(waiting, walked, found)
    .select({ ...columnsOf(totals), id: wanted.id, url: wanted.url })
    .from(totals)
    .leftJoin(wanted, sql`true`)
})

const FIRST_ID = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** Failing destinations with an attempt within this time come after all others. */
const TRIED_MS = 600_000

/** The result of a walk. */
export type Walk = {
  /** Live endpoints with due deliveries that may be sent now, up to the walk's limit. */
  due: Pick<Endpoint, 'id' | 'url'>[]
  /** The number of all due endpoints, including endpoints beyond the limit. */
  dueCount: number
  /** Deleted endpoints. */
  gone: string[]
  /** The first due time of the other endpoints, and the first for which the database is woken. */
  nextAt: Date | null
  awaitedAt: Date | null
  /** Whether the walk began with the first endpoint, and whether it reached the last. */
  isFirst: boolean
  isLast: boolean
}

/**
 * Walks over up to `steps` endpoints with pending deliveries, from the end of the last walk. Of enabled
 * endpoints with due deliveries, proven destinations come first, since strangers can make thousands of
 * others. Then the longest wait decides. Failing destinations with a recent attempt come last, so that an
 * owner of a thousand delays no lost message.
 */
export async function walkEndpoints(
  db: Db,
  walk: { now: Date; steps: number; limit: number },
): Promise<Walk> {
  const since = new Date(walk.now.getTime() - TRIED_MS)
  const soon = new Date(walk.now.getTime() + SOON_MS)
  const rows = await dueEndpoints.run(db, { ...walk, since, soon })
  const [first] = rows
  if (!first) throw new Error('a walk has no result')
  const { isFirst, isLast, due: dueCount, nextAt, awaitedAt } = first
  return {
    ...{ isFirst, isLast, dueCount, nextAt, awaitedAt },
    due: rows.flatMap(({ id, url }) => (id === null || url === null ? [] : [{ id, url }])),
    gone: rows.flatMap(({ id, url }) => (id === null || url !== null ? [] : [id])),
  }
}
