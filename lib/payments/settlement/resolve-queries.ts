import { and, eq, type SQLWrapper, sql } from 'drizzle-orm'
import { paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Builder } from '../../db/builder.ts'
import type { Parameters } from '../../db/statement.ts'

/* The guard of every statement that records an outcome: the intent, and the message it was judged by. */

/** An intent, and the message that it was judged by. */
export const resolution = {
  id: paymentIntents.id,
  networkSignature: paymentIntents.networkSignature,
  lastValidBlockHeight: paymentIntents.lastValidBlockHeight,
  now: paymentIntents.createdAt,
}

/** Two CTEs: `before` locks the intent, `resolved` has its row for the one call that ends it. */
export function resolve(
  db: Builder,
  $: Parameters<typeof resolution>,
  status: 'landed' | 'expired' | 'failed',
) {
  const before = db.$with('before').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(
        and(
          eq(paymentIntents.id, $.id),
          eq(paymentIntents.status, 'open'),
          sql`${paymentIntents.networkSignature} is not distinct from ${$.networkSignature}`,
          eq(paymentIntents.lastValidBlockHeight, $.lastValidBlockHeight),
        ),
      )
      .for('update'),
  )
  const resolved = db.$with('resolved').as(
    db
      .update(paymentIntents)
      .set({
        status,
        resolvedAt: $.now,
        reason: status === 'failed' ? sql`'failed_on_chain'` : sql`null`,
      })
      .from(before)
      .where(eq(paymentIntents.id, before.id))
      .returning({
        id: paymentIntents.id,
        hireId: paymentIntents.hireId,
        feeBps: paymentIntents.feeBps,
        generation: paymentIntents.generation,
        lastValidBlockHeight: paymentIntents.lastValidBlockHeight,
      }),
  )
  return { before, resolved }
}

/** Selects the hires whose budget accounts an intent moves tokens of. */
export const legHires = (db: Builder, id: SQLWrapper) =>
  db
    .select({ hireId: paymentIntentLegs.hireId })
    .from(paymentIntentLegs)
    .where(eq(paymentIntentLegs.intentId, id))

/** What a statement selects that reports nothing: no endpoint has anything due. */
export const NOTHING_DUE = sql<string[]>`'{}'::uuid[]`
