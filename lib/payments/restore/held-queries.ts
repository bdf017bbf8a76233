import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'

/*
 * Hires that a restore has put on hold (hold_collection), for an operator: the chain has a collection for
 * them that the restored database lacked, so it is not known which charges it paid.
 */

const heldRows = read({}, (db) =>
  db
    .select({
      hireId: budgetAccounts.hireId,
      owner: budgetAccounts.owner,
      hirer: budgetAccounts.hirer,
      address: budgetAccounts.address,
      heldAt: budgetAccounts.heldAt,
      collectionId: paymentIntents.id,
      amount: paymentIntentLegs.amount,
      knownCharges: sql<string>`coalesce((
        select sum(${charges.amount}) from ${charges}
        where ${charges.collectionId} = ${paymentIntents.id} and ${charges.hireId} = ${budgetAccounts.hireId}
          and ${charges.status} = 'collected'), 0)`.as('known_charges'),
    })
    .from(budgetAccounts)
    .innerJoin(paymentIntentLegs, eq(paymentIntentLegs.hireId, budgetAccounts.hireId))
    .innerJoin(paymentIntents, eq(paymentIntents.id, paymentIntentLegs.intentId))
    .where(
      and(
        isNotNull(budgetAccounts.heldAt),
        eq(paymentIntents.kind, 'collect'),
        eq(paymentIntents.status, 'landed'),
      ),
    )
    .orderBy(asc(budgetAccounts.hireId), asc(paymentIntents.id)),
)

/**
 * Lists the collections of hires on hold: the hire, both sides, the amount that was collected from its budget
 * account, and the sum of the charges that are known to be paid by it (`knownCharges`).
 */
export async function selectHeld(db: Db) {
  const rows = await heldRows.run(db, {})
  return rows.map((row) => ({ ...row, knownCharges: BigInt(row.knownCharges) }))
}

const released = statement({ hireId: budgetAccounts.hireId }, (db, $) =>
  db
    .update(budgetAccounts)
    .set({ heldAt: null })
    .where(and(eq(budgetAccounts.hireId, $.hireId), isNotNull(budgetAccounts.heldAt)))
    .returning({ hireId: budgetAccounts.hireId }),
)

/** Ends a hire's hold, so that its charges can be collected again. @returns false if it was not on hold */
export const releaseHire = async (db: Db, hireId: string): Promise<boolean> =>
  (await released.run(db, { hireId })).length > 0
