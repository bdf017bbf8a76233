import { and, asc, desc, eq, getTableColumns, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import { webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import type { DeliveryState, EventType } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { webhooks } from '../agents/webhook-queries.ts'
import { name } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { sha256HexOf } from '../db/hash.ts'
import { optional, statement } from '../db/statement.ts'
import { isOpen } from './endpoint-queries.ts'
import { UNPROVEN_INTERVAL_MS } from './rules.ts'

/** A delivery as its owner sees it. */
export type DeliveryRow = Pick<
  typeof deliveries.$inferSelect,
  | 'eventId'
  | 'agentId'
  | 'attempts'
  | 'createdAt'
  | 'nextAttemptAt'
  | 'lastAttemptAt'
  | 'lastResponseCode'
  | 'lastFailure'
> & { type: EventType; status: DeliveryState }

/** What the list's order has of the last delivery that was given out. */
export type DeliveryCursor = { eventId: string }

/** Whether a delivery is due some time. The text is that of the partial index. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

const deliveryPage = statement(
  { wallet: deliveries.wallet, status: 'text?', beforeId: optional(deliveries.eventId), limit: 'integer' },
  (db, $, by: { status: boolean; cursor: boolean }) => {
    const hook = webhooks(db)
    const hasLiveWebhook = sql`exists (select from ${hook} where ${hook.agentId} = ${deliveries.agentId} and ${hook.live})`
    const state = sql<DeliveryState>`case when ${isPending} and not ${hasLiveWebhook}
      then 'held' else ${deliveries.status} end`
    return db
      .select({ ...getTableColumns(deliveries), type: events.type, status: state })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(
        and(
          eq(deliveries.wallet, $.wallet),
          by.cursor ? lt(deliveries.eventId, $.beforeId) : undefined,
          by.status ? eq(state, $.status) : undefined,
        ),
      )
      .orderBy(desc(deliveries.eventId))
      .limit($.limit)
  },
)

/** Reads up to `limit` deliveries to the wallet's agents, newest first, after a cursor and in a state. */
export const selectDeliveries = (
  db: Db,
  wallet: Wallet,
  { status, after }: { status?: DeliveryState | undefined; after?: DeliveryCursor | undefined },
  limit: number,
): Promise<DeliveryRow[]> =>
  deliveryPage.run(
    db,
    { wallet, status, beforeId: after?.eventId, limit },
    { status: status !== undefined, cursor: after !== undefined },
  )

const dueAgents = statement(
  { now: 'timestamptz', triedBefore: 'timestamptz', among: 'uuid[]?', limit: 'integer' },
  (db, $, by: { among: boolean }) => {
    const { agentId, nextAttemptAt } = deliveries
    const first = (isWanted: SQL | undefined, column: typeof agentId | typeof nextAttemptAt) =>
      db
        .select({ [column.name]: column })
        .from(deliveries)
        .where(and(isPending, isWanted))
        .orderBy(asc(column))
        .limit(1)
    // One step of the index to the next agent, and one to its first delivery: what is held for an agent may
    // be any number.
    const agent = by.among
      ? sql`agent (id) as (select distinct unnest(${$.among}))`
      : sql`recursive agent (id) as (
          ${first(undefined, agentId)}
          union all
          select (${first(sql`${agentId} > agent.id`, agentId)}) from agent where agent.id is not null)`
    const waiting = db.$with('waiting', { agentId, nextAttemptAt }).as(sql`
      with ${agent}
      select agent.id as ${name(agentId)}, first.${name(nextAttemptAt)}
      from agent, lateral (${first(sql`${agentId} = agent.id`, nextAttemptAt)}) as first`)
    const hook = webhooks(db)
    return db
      .with(waiting)
      .select({ id: hook.agentId })
      .from(waiting)
      .innerJoin(hook, eq(hook.agentId, waiting.agentId))
      .leftJoin(
        webhookEndpoints,
        and(eq(webhookEndpoints.wallet, hook.wallet), eq(webhookEndpoints.urlHash, sha256HexOf(hook.url))),
      )
      .where(
        and(
          lte(waiting.nextAttemptAt, $.now),
          sql`${hook.live}`,
          or(isNull(webhookEndpoints.wallet), isOpen($.triedBefore)),
        ),
      )
      .orderBy(sql`${webhookEndpoints.provenAt} is not null desc`, asc(waiting.nextAttemptAt))
      .limit($.limit)
  },
)

/**
 * Reads up to `limit` agents with due deliveries and a live webhook that may be sent something now: those
 * with a proven endpoint first, since of others anybody can make thousands, then the longest waiting.
 * @param among only these
 */
export async function selectDueAgents(db: Db, now: Date, limit: number, among?: string[]): Promise<string[]> {
  const triedBefore = new Date(now.getTime() - UNPROVEN_INTERVAL_MS)
  const rows = await dueAgents.run(db, { now, triedBefore, among, limit }, { among: among !== undefined })
  return rows.map(({ id }) => id)
}
