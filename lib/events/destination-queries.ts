import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { sha256HexOf } from '../db/hash.ts'

/* SQL conditions that decide when a destination is sent a request. */

const { wallet, urlHash, provenAt, answeredAt } = webhookTargets

/** Whether a delivery still has an attempt to come. The text equals the partial index's condition. */
export const isPending: SQL = sql`${deliveries.status} = 'pending'`

/**
 * Whether a destination belongs to an endpoint: the same wallet and the same URL, which is stored as a hash.
 */
export const isDestinationOf = (endpoint: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${endpoint.wallet} and ${urlHash} = ${sha256HexOf(endpoint.url)})`

/** Whether a destination has answered 2xx without a proof of its receiver's consent. */
export const isUnconfirmed: SQL<boolean> = sql<boolean>`(${provenAt} is null and ${answeredAt} is not null)`
