import { asc, inArray, type SQLWrapper, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntentLegs } from '../../../schema/tables/payment-accounts.ts'
import type { Builder } from '../../db/builder.ts'
import { statement } from '../../db/statement.ts'

/*
 * The first statement of every batch that changes intents of budget accounts: it locks the accounts, before
 * intents and charges, so that no two batches can deadlock. Whatever locks agents locks them before.
 */

const locked = (db: Builder, hireIds: SQLWrapper) =>
  db
    .select({ hireId: budgetAccounts.hireId })
    .from(budgetAccounts)
    .where(inArray(budgetAccounts.hireId, hireIds))
    .orderBy(asc(budgetAccounts.hireId))
    .for('no key update')

/** Locks the budget accounts of hires. */
export const accountsLocked = statement({ hires: 'uuid[]' }, (db, $) =>
  locked(db, sql`(select unnest(${$.hires}))`),
)

/** Locks the budget accounts that transactions move tokens of. */
export const legAccountsLocked = statement({ intents: 'uuid[]' }, (db, $) =>
  locked(
    db,
    db
      .select({ hireId: paymentIntentLegs.hireId })
      .from(paymentIntentLegs)
      .where(sql`${paymentIntentLegs.intentId} = any(${$.intents})`),
  ),
)
