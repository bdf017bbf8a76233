import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { checksIn } from '../../transactions/confirmation/check-queries.ts'
import { type Intent, intentsOf, intentsWhere } from '../transactions/intent-queries.ts'

/* Leases of open intents that the settlement job checks. */

/** Records when open intents are checked and searched for next. */
export const paymentChecks = checksIn(paymentIntents, 'askedAt')

const leased = statement({ now: paymentIntents.askedAt, limit: 'integer' }, (db, $) => {
  const waiting = db.$with('waiting').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(and(eq(paymentIntents.status, 'open'), lte(paymentIntents.dueAt, $.now)))
      .orderBy(asc(paymentIntents.dueAt))
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

/** Leases signed intents that are due for a check, the longest waiting first. */
export async function leaseDueIntents(db: Db, now: Date, limit: number): Promise<Intent[]> {
  const rows = await leased.run(db, { now, limit })
  if (rows.length === 0) return []
  return intentsOf(await intentsByIds.run(db, { ids: rows.map(({ id }) => id) }))
}
