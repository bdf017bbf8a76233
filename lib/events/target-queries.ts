import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { sha256HexOf } from '../db/hash.ts'

/* What a target may be sent, as parts of statements. */

const { wallet, urlHash, provenAt, answeredAt, failingSince, heldUntil } = webhookTargets

/** Whether a row of targets is an endpoint's: of its wallet and its exact URL, kept as a hash. */
export const isTargetOf = (hook: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${hook.wallet} and ${urlHash} = ${sha256HexOf(hook.url)})`

/** Whether a target has answered 2xx, but without the proof that its receiver consents. */
export const isUnconfirmed: SQL<boolean> = sql<boolean>`(${provenAt} is null and ${answeredAt} is not null)`

/** Whether a proven target fails now. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/** Whether a target may be sent something. One that was never sent anything may, and has no row. */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`
