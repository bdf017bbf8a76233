import { and, eq, ne, notExists, sql } from 'drizzle-orm'
import type { Address } from '../../../schema/address.ts'
import type { Cred } from '../../../schema/amounts.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { batch } from '../../db/batch.ts'
import { hasRows, rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { accountsLocked } from './account-lock-queries.ts'
import { intentFields, intentParameters, isUnsigned, type NewIntent } from './intent-queries.ts'

/* Recording built transactions that a wallet signs alone; collections are in collect-queries.ts. */

const budgetIntentInsert = statement(
  {
    ...intentParameters,
    hireId: paymentIntentLegs.hireId,
    address: paymentIntentLegs.address,
    seed: paymentIntentLegs.seed,
    addressBefore: 'text',
    amount: paymentIntentLegs.amount,
  },
  (db, $, { kind }: { kind: 'fund_budget' | 'withdraw_budget' }) => {
    // Once another address was signed, what was read of the first one says nothing.
    const moved = db
      .select({ hireId: budgetAccounts.hireId })
      .from(budgetAccounts)
      .where(and(eq(budgetAccounts.hireId, $.hireId), ne(budgetAccounts.address, $.addressBefore)))
    const intent = db.$with('intent').as(
      db
        .insert(paymentIntents)
        .select(
          db
            .select(intentFields($, kind, { hireId: $.hireId }))
            .from(sql`(select 1) as one`)
            .where(notExists(moved)),
        )
        .returning({ id: paymentIntents.id }),
    )
    const voided = db.$with('voided').as(
      db
        .update(paymentIntents)
        .set({ status: 'expired', resolvedAt: $.now })
        .where(
          and(
            eq(paymentIntents.wallet, $.wallet),
            eq(paymentIntents.hireId, $.hireId),
            isUnsigned,
            hasRows(intent),
          ),
        )
        .returning({ id: paymentIntents.id }),
    )
    return db
      .with(intent, voided)
      .insert(paymentIntentLegs)
      .select(
        db
          .select(
            rowFields(paymentIntentLegs, {
              intentId: intent.id,
              hireId: $.hireId,
              address: $.address,
              seed: $.seed,
              amount: $.amount,
              fee: sql`0::bigint`,
            }),
          )
          .from(intent),
      )
      .returning({ intentId: paymentIntentLegs.intentId })
  },
)

/** A transaction on a hire's budget account; `addressBefore`: where the account was read to be. */
type BudgetIntent = NewIntent & {
  hireId: string
  address: Address
  /** Of a funding: what the address is made of. */
  seed?: string
  addressBefore: Address
  amount: Cred
}

/**
 * Records a transaction that funds or empties a budget account, unless the account has another address now
 * than was read. What the relay has not signed of the same hire ends.
 * @returns whether it was recorded
 */
export async function insertBudgetIntent(
  db: Db,
  kind: 'fund_budget' | 'withdraw_budget',
  intent: BudgetIntent,
): Promise<boolean> {
  const { hireId } = intent
  const [, inserted] = await batch(db, [
    accountsLocked.item({ hires: [hireId] }),
    budgetIntentInsert.item(intent, { kind }),
  ])
  return inserted.length > 0
}

const collectorIntentInsert = statement(intentParameters, (db, $) => {
  const voided = db.$with('voided').as(
    db
      .update(paymentIntents)
      .set({ status: 'expired', resolvedAt: $.now })
      .where(and(eq(paymentIntents.wallet, $.wallet), eq(paymentIntents.kind, 'open_collector'), isUnsigned))
      .returning({ id: paymentIntents.id }),
  )
  return db
    .with(voided)
    .insert(paymentIntents)
    .select(db.select(intentFields($, 'open_collector')).from(sql`(select 1) as one`))
})

/** Records a transaction that opens a collector. Those that were not signed before end. */
export const insertCollectorIntent = async (db: Db, intent: NewIntent): Promise<void> => {
  await collectorIntentInsert.run(db, intent)
}
