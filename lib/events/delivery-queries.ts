import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import type { DeliveryState, DeliveryStatus, EventType } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { disableWebhook, webhooks } from '../agents/webhook-queries.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { type EventRow, eventColumns } from './queries.ts'

/** An attempt that was claimed: the event, and how many attempts were made of it before. */
export type Claimed = EventRow & { attempts: number; url: string }

/**
 * Claims up to `limit` due deliveries of an agent whose webhook is live. Until `leaseEnd` nobody else gets them; if by
 * then no result was recorded, they are due again. Of any number of calls at once each claims others.
 */
export async function claimDue(
  db: Db,
  claim: { agentId: string; lease: string; dueBefore: Date; leaseEnd: Date; now: Date; limit: number },
): Promise<Claimed[]> {
  const { rows } = await db.execute<Claimed>(sql`
    with due as (
      select event_id, hook.url from ${deliveries} join ${webhooks} as hook on hook.id = agent_id
      where agent_id = ${claim.agentId}::uuid and hook.live
        and status = 'pending' and next_attempt_at <= ${claim.dueBefore.toISOString()}::timestamptz
      order by next_attempt_at limit ${claim.limit} for update of deliveries skip locked)
    update ${deliveries} set lease = ${claim.lease}::uuid,
      next_attempt_at = ${claim.leaseEnd.toISOString()}::timestamptz,
      last_attempt_at = ${claim.now.toISOString()}::timestamptz, last_response_code = null, last_failure = null
    from due join ${events} on events.id = due.event_id
    where deliveries.event_id = due.event_id
    returning ${eventColumns}, deliveries.attempts, due.url`)
  return rows
}

/** What became of one claimed attempt. */
export type Attempted = {
  eventId: string
  status: DeliveryStatus
  /** Null unless pending. */
  nextAttemptAt: Date | null
  code: number | null
  failure: string | null
}

/**
 * Records what became of claimed attempts, unless their lease has run out and another has claimed them, and disables
 * the webhook if its endpoint is gone.
 */
export async function recordAttempts(
  db: Db,
  claim: { agentId: string; url: string; lease: string; claimedAt: Date },
  attempts: Attempted[],
  { isGone, now }: { isGone: boolean; now: Date },
): Promise<void> {
  await db.execute(sql`
    with result as (
      select * from json_to_recordset(${JSON.stringify(attempts)}::json)
        as r ("eventId" uuid, status text, "nextAttemptAt" timestamptz, code integer, failure text)),
    recorded as (
      update ${deliveries} set status = result.status, attempts = attempts + 1,
        next_attempt_at = result."nextAttemptAt", lease = null, last_response_code = result.code,
        last_failure = result.failure
      from result
      where deliveries.event_id = result."eventId" and deliveries.lease = ${claim.lease}::uuid
      returning event_id),
    disabled as (${disableWebhook(claim, now, sql`${isGone}::boolean and exists (select from recorded)`)})
    select count(*) from recorded`)
}

/** Up to `limit` agents with due deliveries and a live webhook, those that have waited longest first. */
export async function selectDueAgents(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select hook.id from ${deliveries} join ${webhooks} as hook on hook.id = agent_id
    where status = 'pending' and next_attempt_at <= ${now.toISOString()}::timestamptz and hook.live
    group by hook.id order by min(next_attempt_at) limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Deletes deliveries that were put in line before a time, whatever became of them, at most `limit`. Events stay. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${deliveries} where event_id in (
      select event_id from ${deliveries} where created_at < ${before.toISOString()}::timestamptz
      limit ${limit} for update skip locked)`)
  return rowCount
}

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

const isHeld = sql`(${deliveries.status} = 'pending' and not exists (
  select from ${webhooks} as hook where hook.id = ${deliveries.agentId} and hook.live))`

const state = sql<DeliveryState>`case when ${isHeld} then 'held' else ${deliveries.status} end`

/** Up to `limit` deliveries to the wallet's agents, newest first, before a place and in a state if given. */
export const selectDeliveries = (
  db: Db,
  wallet: Wallet,
  filter: { status?: DeliveryState | undefined; before?: string | undefined },
  limit: number,
): Promise<DeliveryRow[]> =>
  db
    .select({ ...getTableColumns(deliveries), type: events.type, status: state })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(
      and(
        eq(deliveries.wallet, wallet),
        filter.before === undefined ? undefined : lt(deliveries.eventId, filter.before),
        filter.status === undefined ? undefined : eq(state, filter.status),
      ),
    )
    .orderBy(desc(deliveries.eventId))
    .limit(limit)

/** What a replay found: whether the event goes to a webhook, whether that is live, and the delivery if put in line. */
export type Replay = { hasWebhook: boolean; isLive: boolean; delivery: DeliveryRow | null }

/**
 * Puts an event in line for the webhook of the wallet's agent as if it had just happened, whatever became of it before.
 * @returns undefined when the event is not in the wallet's log
 */
export async function replayEvent(
  db: Db,
  { id, wallet, now }: { id: string; wallet: Wallet; now: Date },
): Promise<Replay | undefined> {
  const target = db
    .$with('target', {
      type: events.type,
      hasWebhook: sql<boolean>`has_webhook`.as('has_webhook'),
      isLive: sql<boolean>`is_live`.as('is_live'),
    })
    .as(sql`
      select events.id, events.type, events.wallet, events.agent_id, hook.id is not null as has_webhook,
        coalesce(hook.live, false) as is_live
      from ${events} left join ${webhooks} as hook on hook.id = events.agent_id and events.wallet = ${wallet}
      where events.id = ${id}::uuid and ${wallet} in (events.wallet, events.counterparty)`)
  const replayed = db.$with('replayed', getTableColumns(deliveries)).as(sql`
    insert into ${deliveries} (event_id, agent_id, wallet, created_at, next_attempt_at)
    select target.id, target.agent_id, target.wallet, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz
    from target where target.is_live
    on conflict (event_id) do update set status = 'pending', attempts = 0, lease = null,
      created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at
    returning deliveries.*`)
  const [found] = await db
    .with(target, replayed)
    .select({
      type: target.type,
      hasWebhook: target.hasWebhook,
      isLive: target.isLive,
      delivery: columnsOf(replayed),
    })
    .from(target)
    .leftJoin(replayed, sql`true`)
  if (!found) return undefined
  const { type, hasWebhook, isLive, delivery } = found
  return { hasWebhook, isLive, delivery: delivery && { ...delivery, type } }
}
