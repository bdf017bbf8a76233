import { and, asc, desc, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import type { DeliveryState, EventType } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { name } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { type Hook, hooks } from './hook-queries.ts'
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

/** Whether a delivery is due some time. The text is that of the partial index. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

const deliveryPage = statement(
  {
    wallet: deliveries.wallet,
    endpointId: 'uuid?',
    status: 'text?',
    beforeEvent: 'uuid?',
    beforeEndpoint: 'uuid?',
    now: 'timestamptz',
    limit: 'integer',
  },
  (db, $, by: { endpoint: boolean; status: boolean; cursor: boolean }) => {
    const hook = hooks(db, $.now)
    const hasLiveEndpoint = sql`exists (select from ${hook} where ${hook.id} = ${deliveries.endpointId} and ${hook.isLive})`
    const state = sql<DeliveryState>`case when ${isPending} and not ${hasLiveEndpoint}
      then 'held' else ${deliveries.status} end`
    return db
      .select({ ...getTableColumns(deliveries), type: events.type, agentId: events.agentId, status: state })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(
        and(
          eq(deliveries.wallet, $.wallet),
          by.endpoint ? eq(deliveries.endpointId, $.endpointId) : undefined,
          by.cursor
            ? sql`(${deliveries.eventId}, ${deliveries.endpointId}) < (${$.beforeEvent}, ${$.beforeEndpoint})`
            : undefined,
          by.status ? eq(state, $.status) : undefined,
        ),
      )
      .orderBy(desc(deliveries.eventId), desc(deliveries.endpointId))
      .limit($.limit)
  },
)

/** Which deliveries a list has. */
export type DeliveryFilter = { endpointId?: string | undefined; status?: DeliveryState | undefined }

/** Reads up to `limit` deliveries to the wallet's endpoints, newest events first, after a cursor. */
export const selectDeliveries = (
  db: Db,
  wallet: Wallet,
  { endpointId, status }: DeliveryFilter,
  { after, limit, now }: { after?: DeliveryCursor | undefined; limit: number; now: Date },
): Promise<DeliveryRow[]> =>
  deliveryPage.run(
    db,
    {
      wallet,
      endpointId,
      status,
      beforeEvent: after?.eventId,
      beforeEndpoint: after?.endpointId,
      now,
      limit,
    },
    { endpoint: endpointId !== undefined, status: status !== undefined, cursor: after !== undefined },
  )

const dueEndpoints = statement({ now: 'timestamptz', since: 'timestamptz', limit: 'integer' }, (db, $) => {
  const { endpointId, nextAttemptAt } = deliveries
  const first = (isWanted: SQL | undefined, column: typeof endpointId | typeof nextAttemptAt) =>
    db
      .select({ [column.name]: column })
      .from(deliveries)
      .where(and(isPending, isWanted))
      .orderBy(asc(column))
      .limit(1)
  // One step of the index to the next endpoint, and one to its first delivery: what is held for an endpoint
  // may be any number.
  const waiting = db.$with('waiting', { endpointId, nextAttemptAt }).as(sql`
      with recursive endpoint (id) as (
        ${first(undefined, endpointId)}
        union all
        select (${first(sql`${endpointId} > endpoint.id`, endpointId)}) from endpoint where endpoint.id is not null)
      select endpoint.id as ${name(endpointId)}, first.${name(nextAttemptAt)}
      from endpoint, lateral (${first(sql`${endpointId} = endpoint.id`, nextAttemptAt)}) as first`)
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
    .with(waiting)
    .select({ id: open.id, url: open.url })
    .from(waiting)
    .crossJoinLateral(open)
    .where(lte(waiting.nextAttemptAt, $.now))
    .orderBy(
      sql`coalesce(${open.isNudged}, false)`,
      sql`${open.provenAt} is not null desc`,
      asc(waiting.nextAttemptAt),
    )
    .limit($.limit)
})

/** The cron's interval. A failing target that was tried in it is nudged for as its pauses end. */
const NUDGED_MS = 600_000

/**
 * Reads up to `limit` live endpoints with due deliveries that may be sent something now: those with a proven
 * target first, since of others anybody can make thousands, then the longest waiting. Last come those that
 * fail and were tried lately: whoever has a thousand of them must not take the places of what was lost.
 */
export const selectDueEndpoints = (db: Db, now: Date, limit: number): Promise<Pick<Hook, 'id' | 'url'>[]> =>
  dueEndpoints.run(db, { now, since: new Date(now.getTime() - NUDGED_MS), limit })
