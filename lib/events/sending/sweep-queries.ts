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
  // One step of the index to the next endpoint, and one to its first delivery: an endpoint may
  // have any number of held deliveries.
  const waiting = db.$with('waiting', { endpointId, nextAttemptAt, lease }).as(sql`
      with recursive endpoint (id, step) as (
        select (${first(sql`${endpointId} > ${start}`, endpointId)}), 1
        union all
        select (${first(sql`${endpointId} > endpoint.id`, endpointId)}), step + 1
        from endpoint where endpoint.id is not null and step < ${$.steps})
      select endpoint.id as ${name(endpointId)}, first.${name(nextAttemptAt)}, first.${name(lease)}
      from endpoint left join lateral (
        ${first(sql`${endpointId} = endpoint.id`, nextAttemptAt, lease)}) as first on true`)
  // The last step finds none behind the last endpoint: then the next walk begins with the first.
  const walked = db.$with('walked', { after }).as(sql`
      update ${deliveryWalk} set ${name(after)} = (
        select coalesce(${waiting.endpointId}, ${FIRST_ID}) from ${waiting} order by ${waiting.endpointId} desc nulls first limit 1)
      where ${isOnly} returning ${after}`)
  const endpoint = allEndpoints(db)
  const { wallet, provenAt, heldUntil, lastAttemptAt } = webhookTargets
  const wasTried = sql`(${isFailing} and ${lastAttemptAt} > ${$.since})`
  // The limit, which cuts nothing, keeps it a look at the indexes for each endpoint that waits.
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
        // An attempt that is under way may be cut off.
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

/** A failing destination that was tried since then comes after all others. */
const TRIED_MS = 600_000

/** What a walk has found. */
export type Walk = {
  /** Live endpoints with due deliveries that may be sent now, up to the walk's limit. */
  due: Pick<Endpoint, 'id' | 'url'>[]
  /** How many there are, beyond the limit too. */
  dueCount: number
  /** Deleted endpoints. */
  gone: string[]
  /** When the first of the others is due, and the first of those that the database is woken for. */
  nextAt: Date | null
  awaitedAt: Date | null
  /** Whether it began with the first endpoint, and whether it came to the last. */
  isFirst: boolean
  isLast: boolean
}

/**
 * Walks over up to `steps` endpoints with pending deliveries, on from where the walk before has ended. Of
 * live ones with due deliveries, proven destinations come first, since anybody can make thousands of others,
 * then the longest waiting. Failing destinations that were tried lately come last, so that an owner of a
 * thousand of them delays no lost message.
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
