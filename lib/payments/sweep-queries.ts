import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, sql } from 'drizzle-orm'
import { paymentIntentLegs, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { charges } from '../../schema/tables/payments.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { type Intent, intentsOf, intentsWhere, isUnsigned } from './intent-queries.ts'

/* Who may ask the chain about open intents, and what the jobs Worker ends and deletes. */

const leased = statement({ now: paymentIntents.askedAt, limit: 'integer' }, (db, $) => {
  const waiting = db.$with('waiting').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(and(eq(paymentIntents.status, 'open'), isNotNull(paymentIntents.cosignedAt)))
      .orderBy(asc(paymentIntents.askedAt))
      .limit($.limit)
      .for('update', { skipLocked: true }),
  )
  const asked = db
    .$with('asked')
    .as(
      db
        .update(paymentIntents)
        .set({ askedAt: $.now })
        .from(waiting)
        .where(eq(paymentIntents.id, waiting.id))
        .returning({ id: paymentIntents.id }),
    )
  return db.with(waiting, asked).select({ id: asked.id }).from(asked)
})

const intentsByIds = statement({ ids: 'uuid[]' }, (db, $) =>
  intentsWhere(db, sql`${paymentIntents.id} = any(${$.ids})`),
)

/** Takes signed intents whose outcome is unknown, those that have waited longest first. */
export async function leaseOpenIntents(db: Db, now: Date, limit: number): Promise<Intent[]> {
  const rows = await leased.run(db, { now, limit })
  if (rows.length === 0) return []
  return intentsOf(await intentsByIds.run(db, { ids: rows.map(({ id }) => id) }))
}

const unsignedEnded = statement(
  { builtBy: paymentIntents.createdAt, now: paymentIntents.createdAt, limit: 'integer' },
  (db, $) => {
    const old = db.$with('old').as(
      db
        .select({ id: paymentIntents.id })
        .from(paymentIntents)
        .where(and(isUnsigned, lte(paymentIntents.createdAt, $.builtBy)))
        .orderBy(asc(paymentIntents.createdAt))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    )
    const freed = db.$with('freed').as(
      db
        .update(charges)
        .set({ collectionId: null })
        .from(old)
        .where(and(eq(charges.collectionId, old.id), eq(charges.status, 'recorded')))
        .returning({ id: charges.id }),
    )
    return db
      .with(old, freed)
      .update(paymentIntents)
      .set({ status: 'expired', resolvedAt: $.now })
      .from(old)
      .where(eq(paymentIntents.id, old.id))
  },
)

/** Ends what was not signed by its deadline, built at or before `builtBy`, at most `limit` of them. */
export async function expireUnsignedPayments(
  db: Db,
  { builtBy, now, limit }: { builtBy: Date; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await unsignedEnded.run(db, { builtBy, now, limit })
  return rowCount
}

const endedDeleted = statement(
  { before: paymentIntents.createdAt, limit: 'integer' },
  (db, $, { wereSigned }: { wereSigned: boolean }) => {
    const old = db.$with('old').as(
      db
        .select({ id: paymentIntents.id })
        .from(paymentIntents)
        .where(
          and(
            ne(paymentIntents.status, 'landed'),
            ne(paymentIntents.status, 'open'),
            lt(paymentIntents.createdAt, $.before),
            wereSigned ? undefined : isNull(paymentIntents.cosignedAt),
          ),
        )
        .orderBy(asc(paymentIntents.createdAt))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    )
    const ids = db.select({ id: old.id }).from(old)
    const legs = db
      .$with('legs')
      .as(
        db
          .delete(paymentIntentLegs)
          .where(inArray(paymentIntentLegs.intentId, ids))
          .returning({ intentId: paymentIntentLegs.intentId }),
      )
    // Counting the legs has them deleted before their intents.
    return db
      .with(old, legs)
      .delete(paymentIntents)
      .where(and(inArray(paymentIntents.id, ids), sql`(select count(*) from ${legs}) >= 0`))
  },
)

/**
 * Deletes intents that expired or failed and were built before then, at most `limit` of them.
 * @param wereSigned whether signed ones, too, or only those of which nobody needs to know for long
 */
export async function deleteEndedPayments(
  db: Db,
  { before, wereSigned, limit }: { before: Date; wereSigned: boolean; limit: number },
): Promise<number> {
  const { rowCount } = await endedDeleted.run(db, { before, limit }, { wereSigned })
  return rowCount
}
