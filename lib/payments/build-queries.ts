import { and, eq, sql } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { batch } from '../db/batch.ts'
import { hasRows, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { HireBudget } from './budget-queries.ts'
import { intentFields, intentParameters, isUnsigned, type NewIntent } from './intent-queries.ts'

/* Recording built transactions that a wallet signs alone; collections are in collect-queries.ts. */

const hireLocked = statement({ hireId: paymentIntentLegs.hireId }, (db, $) =>
  db
    .select({ hireId: budgetAccounts.hireId })
    .from(budgetAccounts)
    .where(eq(budgetAccounts.hireId, $.hireId))
    .for('update'),
)

const budgetIntentInsert = statement(
  {
    ...intentParameters,
    hireId: budgetAccounts.hireId,
    owner: budgetAccounts.owner,
    agentId: budgetAccounts.agentId,
    address: budgetAccounts.address,
    seed: budgetAccounts.seed,
    addressBefore: 'text?',
    amount: paymentIntentLegs.amount,
  },
  (db, $, { kind }: { kind: 'fund_budget' | 'withdraw_budget' }) => {
    const account = db.$with('account').as(
      db
        .insert(budgetAccounts)
        .values({
          hireId: $.hireId,
          hirer: $.wallet,
          owner: $.owner,
          agentId: $.agentId,
          address: $.address,
          seed: $.seed,
          generation: $.generation,
          lookedAt: sql`'epoch'`,
        })
        .onConflictDoUpdate({
          target: budgetAccounts.hireId,
          set: {
            address: sql`${$.address}`,
            seed: sql`${$.seed}`,
            generation: sql`least(${budgetAccounts.generation}, ${$.generation})`,
          },
          // Of two that open one at the same time, the second finds another address than it has read.
          setWhere: sql`${budgetAccounts.address} = ${$.addressBefore}`,
        })
        .returning({ hireId: budgetAccounts.hireId }),
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
            hasRows(account),
          ),
        )
        .returning({ id: paymentIntents.id }),
    )
    const intent = db.$with('intent').as(
      db
        .insert(paymentIntents)
        .select(db.select(intentFields($, kind, { hireId: $.hireId })).from(account))
        .returning({ id: paymentIntents.id }),
    )
    return db
      .with(account, voided, intent)
      .insert(paymentIntentLegs)
      .select(
        db
          .select(
            rowFields(paymentIntentLegs, {
              intentId: intent.id,
              hireId: $.hireId,
              address: $.address,
              amount: $.amount,
              fee: sql`0::bigint`,
            }),
          )
          .from(intent),
      )
      .returning({ intentId: paymentIntentLegs.intentId })
  },
)

/** A transaction on a hire's budget account, at the address that was read, or another in its place. */
type BudgetIntent = {
  intent: NewIntent
  hire: HireBudget
  account: { address: Address; seed: string }
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
  { intent, hire, account, amount }: BudgetIntent,
): Promise<boolean> {
  const { hireId, agentId, owner } = hire
  const [, inserted] = await batch(db, [
    hireLocked.item({ hireId }),
    budgetIntentInsert.item(
      { ...intent, hireId, agentId, owner, ...account, addressBefore: hire.account?.address, amount },
      { kind },
    ),
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
