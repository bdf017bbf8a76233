import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { deletionOfEnded, endingOfUnsigned } from '../../signing/relay/ending-queries.ts'
import { type Intent, intentsOf, intentsWhere } from '../transactions/intent-queries.ts'

/* Who may ask the chain about open intents, and what the settlement Worker ends and deletes. */

const leased = statement({ now: paymentIntents.askedAt, limit: 'integer' }, (db, $) => {
  const waiting = db.$with('waiting').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(
        and(
          eq(paymentIntents.status, 'open'),
          isNotNull(paymentIntents.cosignedAt),
          lte(paymentIntents.askedAt, $.now),
        ),
      )
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

const intentsByIds = read({ ids: 'uuid[]' }, (db, $) =>
  intentsWhere(db, sql`${paymentIntents.id} = any(${$.ids})`),
)

/** Takes signed intents that may be asked about, their outcome unknown, the longest waiting first. */
export async function leaseOpenIntents(db: Db, now: Date, limit: number): Promise<Intent[]> {
  const rows = await leased.run(db, { now, limit })
  if (rows.length === 0) return []
  return intentsOf(await intentsByIds.run(db, { ids: rows.map(({ id }) => id) }))
}

const of = { intents: paymentIntents, neverSigned: isNull(paymentIntents.cosignedAt) }

/** Ends what was not signed by its deadline, and frees its charges. */
export const expireUnsignedPayments = endingOfUnsigned({
  ...of,
  release: (db, old) =>
    db.$with('freed').as(
      db
        .update(charges)
        .set({ collectionId: null })
        .from(old)
        .where(and(eq(charges.collectionId, old.id), eq(charges.status, 'recorded')))
        .returning({ id: charges.id }),
    ),
})

/** Deletes intents that expired or failed. */
export const deleteEndedPayments = deletionOfEnded({ ...of, legs: paymentIntentLegs })
