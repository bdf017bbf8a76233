import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { sha256HexOf } from '../db/hash.ts'

/* What is sent to a destination, and when, as parts of statements. */

const { wallet, urlHash, provenAt, answeredAt, failingSince, heldUntil, isAwaited, lastAttemptAt } =
  webhookTargets

/** Whether a delivery is due some time. The text is the partial index's. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

/** Whether a row of destinations is an endpoint's: of its wallet and its exact URL, kept as a hash. */
export const isDestinationOf = (endpoint: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${endpoint.wallet} and ${urlHash} = ${sha256HexOf(endpoint.url)})`

/** Whether a destination has answered 2xx, but without the proof that its receiver consents. */
export const isUnconfirmed: SQL<boolean> = sql<boolean>`(${provenAt} is null and ${answeredAt} is not null)`

/** Whether a proven destination fails now. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/** Whether a destination may be sent something. One that was never sent anything may, and has no row. */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`

/**
 * Whether the database is woken for an endpoint when its destination's pause is over, if that is `soon`: for
 * what a request has enqueued since the last attempt, and for what was decided when that failed. Sweeps and
 * runs both ask by it, so that they tell the Clock the same.
 */
export const isAwaitedAfterPause = (endpointId: SQLWrapper, $: { now: SQLWrapper; soon: SQLWrapper }) => {
  const { nextAttemptAt, attempts } = deliveries
  // Of a destination that nothing is known of yet, the first attempt may be cut off.
  const isUntried = sql`coalesce(${provenAt}, ${answeredAt}, ${failingSince}) is null`
  return sql<boolean>`(${isAwaited} or (${heldUntil} <= ${$.soon} and exists (
    select from ${deliveries} where ${deliveries.endpointId} = ${endpointId} and ${isPending} and ${attempts} = 0
    and ${nextAttemptAt} <= ${$.now}
    and ${nextAttemptAt} >= case when ${isUntried} then '-infinity' else ${lastAttemptAt} end)))`
}
