import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { sha256HexOf } from '../db/hash.ts'

/* SQL conditions that decide when a destination is sent a request. */

const { wallet, urlHash, provenAt, answeredAt, failingSince, heldUntil, isAwaited, lastAttemptAt } =
  webhookTargets

/** Whether a delivery still has an attempt to come. The text equals the partial index's condition. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

/**
 * Whether a destination belongs to an endpoint: the same wallet and the same URL, which is stored as a hash.
 */
export const isDestinationOf = (endpoint: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${endpoint.wallet} and ${urlHash} = ${sha256HexOf(endpoint.url)})`

/** Whether a destination has answered 2xx without a proof of its receiver's consent. */
export const isUnconfirmed: SQL<boolean> = sql<boolean>`(${provenAt} is null and ${answeredAt} is not null)`

/** Whether the last attempts at a proven destination failed. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/**
 * Whether a destination is not paused. A destination without a row was never sent anything and is not paused.
 */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`

/**
 * Whether the database is woken for an endpoint when its destination's pause ends. That needs either of two
 * things: the failed attempt decided so, or the pause ends by `soon` and a request has enqueued a delivery
 * since the last attempt. Sweeps and runs share this condition, so they schedule the same time.
 */
export const isAwaitedAfterPause = (endpointId: SQLWrapper, $: { now: SQLWrapper; soon: SQLWrapper }) => {
  const { nextAttemptAt, attempts } = deliveries
  // The first attempt at a destination without any result may have been cut off.
  const isUntried = sql`coalesce(${provenAt}, ${answeredAt}, ${failingSince}) is null`
  return sql<boolean>`(${isAwaited} or (${heldUntil} <= ${$.soon} and exists (
    select from ${deliveries} where ${deliveries.endpointId} = ${endpointId} and ${isPending} and ${attempts} = 0
    and ${nextAttemptAt} <= ${$.now}
    and ${nextAttemptAt} >= case when ${isUntried} then '-infinity' else ${lastAttemptAt} end)))`
}
