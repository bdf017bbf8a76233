import { and, asc, eq, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { deliveries, deliveryWalk } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import type { DeliveryState } from '../../schema/values.ts'
import type { EventType } from '../../schema/wire/event-types/table.ts'
import { name } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { type Hook, hooks, isGone } from './hook-queries.ts'
import { isFailing, isOpen, isTargetOf } from './target-queries.ts'

/** A delivery as its owner sees it. */
export type DeliveryRow = Pick<
  typeof deliveries.$inferSelect,
  | 'endpointId'
  | 'eventId'
  | 'attempts'
  | 'createdAt'
  | 'nextAttemptAt'
  | 'lastAttemptAt'
  | 'lastResponseCode'
  | 'lastFailure'
> & {
  type: EventType
  /** The agent that the event is about, if any. */
  agentId: string | null
  status: DeliveryState
}

/** What the list's order has of the last delivery that was given out. */
export type DeliveryCursor = { eventId: string; endpointId: string }

/** Whether a delivery is due some time. The text is the partial index's. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

const dueParameters = {
  now: 'timestamptz',
  since: 'timestamptz',
  steps: 'integer',
  limit: 'integer',
} as const

const dueEndpoints = statement(dueParameters, (db, $) => {
  const { endpointId, nextAttemptAt } = deliveries
  const { isOnly, after } = deliveryWalk
  const start = sql`(select ${after} from ${deliveryWalk})`
  const first = (isWanted: SQL | undefined, column: typeof endpointId | typeof nextAttemptAt) =>
    db
      .select({ [column.name]: column })
      .from(deliveries)
      .where(and(isPending, isWanted))
      .orderBy(asc(column))
      .limit(1)
  // One step of the index to the next endpoint, and one to its first delivery: an endpoint may
  // have any number of held deliveries.
  const waiting = db.$with('waiting', { endpointId, nextAttemptAt }).as(sql`
      with recursive endpoint (id, step) as (
        select (${first(sql`${endpointId} > ${start}`, endpointId)}), 1
        union all
        select (${first(sql`${endpointId} > endpoint.id`, endpointId)}), step + 1
        from endpoint where endpoint.id is not null and step < ${$.steps})
      select endpoint.id as ${name(endpointId)}, first.${name(nextAttemptAt)}
      from endpoint left join lateral (${first(sql`${endpointId} = endpoint.id`, nextAttemptAt)}) as first on true`)
  // The last step finds none behind the last endpoint: then the next walk begins with the first.
  const walked = db.$with('walked', { after }).as(sql`
      update ${deliveryWalk} set ${name(after)} = (
        select coalesce(${waiting.endpointId}, ${FIRST_ID}) from ${waiting} order by ${waiting.endpointId} desc nulls first limit 1)
      where ${isOnly} returning ${after}`)
  const hook = hooks(db, $.now)
  const isNudged = sql`(${isFailing} and ${webhookTargets.lastAttemptAt} > ${$.since})`
  // The limit, which cuts nothing, keeps it a look at the indexes for each endpoint that waits.
  const open = db
    .select({
      id: hook.id,
      url: hook.url,
      provenAt: webhookTargets.provenAt,
      isNudged: isNudged.as('is_nudged'),
    })
    .from(hook)
    .leftJoin(webhookTargets, isTargetOf(hook))
    .where(and(eq(hook.id, waiting.endpointId), sql`${hook.isLive}`, isOpen($.now)))
    .limit(1)
    .as('open')
  return db
    .with(waiting, walked)
    .select({ id: sql<string>`${waiting.endpointId}`, url: open.url })
    .from(waiting)
    .leftJoinLateral(open, lte(waiting.nextAttemptAt, $.now))
    .where(and(isNotNull(waiting.endpointId), or(isNotNull(open.id), isGone(waiting.endpointId))))
    .orderBy(
      sql`${open.id} is not null desc`,
      sql`coalesce(${open.isNudged}, false)`,
      sql`${open.provenAt} is not null desc`,
      asc(waiting.nextAttemptAt),
    )
    .limit($.limit)
})

const FIRST_ID = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** The cron's interval. A failing target that was tried in it is nudged for as its pauses end. */
const NUDGED_MS = 600_000

/**
 * Walks over up to `steps` endpoints with pending deliveries, on from where the walk before has ended, and
 * reads up to `limit` of them: the ids of deleted endpoints (`gone`), and live endpoints with due deliveries
 * that may be sent now. Of live ones, proven targets come first, since anybody can make thousands of others,
 * then the longest waiting; and last failing targets that were tried lately: an owner of a thousand failing
 * endpoints must not take the nudges of lost messages.
 */
export async function selectDueEndpoints(
  db: Db,
  walk: { now: Date; steps: number; limit: number },
): Promise<{ due: Pick<Hook, 'id' | 'url'>[]; gone: string[] }> {
  const since = new Date(walk.now.getTime() - NUDGED_MS)
  const rows = await dueEndpoints.run(db, { ...walk, since })
  return {
    due: rows.flatMap(({ id, url }) => (url === null ? [] : [{ id, url }])),
    gone: rows.flatMap(({ id, url }) => (url === null ? [id] : [])),
  }
}
