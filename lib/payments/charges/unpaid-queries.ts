import { and, eq, inArray, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import { closeHires, hiresOver } from '../../agents/parts/closing-queries.ts'
import { credit } from '../../agents/parts/period-queries.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { releaseCharges } from '../../quotas/charge-queries.ts'

/* What nobody has paid of the charges on hires that ended long ago. */

/** Selects what nobody has paid of a hire's charges: two ranges of an index. */
const unpaidOf = (db: Builder, hireId: SQLWrapper) =>
  db
    .select({ id: charges.id, collectionId: charges.collectionId })
    .from(charges)
    .where(and(eq(charges.hireId, hireId), inArray(charges.status, ['recorded', 'voided'])))

const unpaidDeleted = statement({ endedBy: 'timestamptz', hires: 'integer', charges: 'integer' }, (db, $) => {
  const over = hiresOver(db, { endedBy: $.endedBy, limit: $.hires })
  // A collection that was signed and never seen to fail may have paid its charges.
  const unpaid = unpaidOf(db, over.id).as('unpaid')
  const chosen = db
    .$with('chosen')
    .as(
      db
        .select({ id: unpaid.id })
        .from(over)
        .innerJoinLateral(unpaid, isNull(unpaid.collectionId))
        .limit($.charges),
    )
  const deleted = db.$with('deleted').as(
    db
      .delete(charges)
      .where(
        and(inArray(charges.id, sql`(select ${chosen.id} from ${chosen})`), isNull(charges.collectionId)),
      )
      .returning({
        hireId: charges.hireId,
        periodStart: charges.periodStart,
        owner: charges.owner,
        amount: charges.amount,
        status: charges.status,
      }),
  )
  const { hireId, periodStart, amount, status } = deleted
  const spent = db.$with('spent').as(
    db
      .select({
        hireId,
        periodStart,
        amount: sql<bigint>`coalesce(sum(${amount}) filter (where ${status} = 'recorded'), 0)`.as('unspent'),
      })
      .from(deleted)
      .groupBy(hireId, periodStart),
  )
  return db
    .with(
      over,
      chosen,
      deleted,
      spent,
      credit(db, spent),
      ...releaseCharges(db, { charges: deleted, were: 'deleted' }),
      ...closeHires(db, { over, isSettled: sql`not exists (${unpaidOf(db, over.id)})` }),
    )
    .select({ deleted: sql`count(*)`.mapWith(Number) })
    .from(deleted)
})

/**
 * Deletes what nobody has paid of the charges on hires that ended by then: at most so many charges, of at
 * most so many hires. A hire that has none left is closed, and no longer looked at. Safe to run twice at
 * once.
 */
export async function deleteUnpaid(
  db: Db,
  at: { endedBy: Date; hires: number; charges: number },
): Promise<number> {
  const [row] = await unpaidDeleted.run(db, at)
  return row?.deleted ?? 0
}
