import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { sha256HexOf } from '../db/hash.ts'

/* What is sent to a target, and when, as parts of statements. */

const { wallet, urlHash, provenAt, answeredAt, failingSince, heldUntil, isAwaited, lastAttemptAt } =
  webhookTargets

/** Whether a delivery is due some time. The text is the partial index's. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

/** Whether a row of targets is an endpoint's: of its wallet and its exact URL, kept as a hash. */
export const isTargetOf = (hook: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${hook.wallet} and ${urlHash} = ${sha256HexOf(hook.url)})`

/** Whether a target has answered 2xx, but without the proof that its receiver consents. */
export const isUnconfirmed: SQL<boolean> = sql<boolean>`(${provenAt} is null and ${answeredAt} is not null)`

/** Whether a proven target fails now. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/** Whether a target may be sent something. One that was never sent anything may, and has no row. */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`

/**
 * Whether the database is woken for what an endpoint is sent when its target's pause is over, if that is
 * `soon`: what a request has put in line since the target was attempted, and what was decided when it failed.
 * Rounds answer by it, and who finds a target held asks by it: what one asks for, the other knows.
 */
export const isAwaitedAfterPause = (endpointId: SQLWrapper, $: { now: SQLWrapper; soon: SQLWrapper }) => {
  const { nextAttemptAt, attempts } = deliveries
  // Of a target that nothing is known of yet, the first attempt may be cut off.
  const isUntried = sql`coalesce(${provenAt}, ${answeredAt}, ${failingSince}) is null`
  return sql<boolean>`(${isAwaited} or (${heldUntil} <= ${$.soon} and exists (
    select from ${deliveries} where ${deliveries.endpointId} = ${endpointId} and ${isPending} and ${attempts} = 0
    and ${nextAttemptAt} <= ${$.now}
    and ${nextAttemptAt} >= case when ${isUntried} then '-infinity' else ${lastAttemptAt} end)))`
}
