import { and, asc, eq, exists, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import { budgetAccounts, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { charges } from '../../schema/tables/payments.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hiredAt } from '../agents/hired-queries.ts'
import type { Builder } from '../db/builder.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hasLapsed } from './charge-state-queries.ts'
import { isUnsigned } from './intent-queries.ts'

/* What may be collected. */

/**
 * A hire's charges that may be collected: recorded, and in no collection but perhaps one that was not signed.
 */
const collectable = (db: Builder, hireId: SQLWrapper) =>
  db
    .select({ id: charges.id, amount: charges.amount, replaces: charges.collectionId })
    .from(charges)
    .where(
      and(
        eq(charges.hireId, hireId),
        eq(charges.status, 'recorded'),
        or(
          isNull(charges.collectionId),
          exists(
            db
              .select({ id: paymentIntents.id })
              .from(paymentIntents)
              .where(and(eq(paymentIntents.id, charges.collectionId), isUnsigned)),
          ),
        ),
      ),
    )

const dueRows = statement(
  {
    owner: budgetAccounts.owner,
    hireId: 'uuid?',
    now: 'timestamptz',
    accounts: 'integer',
    charges: 'integer',
  },
  (db, $) => {
    const hired = hiredAt(db, $.now)
    const account = db.$with('account').as(
      db
        .select({
          hireId: budgetAccounts.hireId,
          hirer: budgetAccounts.hirer,
          address: budgetAccounts.address,
          failedAt: budgetAccounts.failedAt,
          lookedAt: budgetAccounts.lookedAt,
        })
        .from(budgetAccounts)
        .innerJoin(hired, eq(hired.id, budgetAccounts.hireId))
        .where(
          and(
            eq(budgetAccounts.owner, $.owner),
            sql`(${$.hireId} is null or ${budgetAccounts.hireId} = ${$.hireId})`,
            sql`not ${hired.isSuspended}`,
            sql`not ${hasLapsed(hired, $.now)}`,
            exists(collectable(db, budgetAccounts.hireId)),
          ),
        )
        .orderBy(asc(budgetAccounts.lookedAt), asc(budgetAccounts.hireId))
        .limit($.accounts),
    )
    const charge = collectable(db, account.hireId).orderBy(asc(charges.id)).limit($.charges).as('charge')
    return db
      .with(account)
      .select({
        hireId: account.hireId,
        hirer: account.hirer,
        address: account.address,
        failedAt: account.failedAt,
        chargeId: charge.id,
        amount: charge.amount,
        replaces: charge.replaces,
      })
      .from(account)
      .innerJoinLateral(charge, sql`true`)
      .orderBy(asc(account.lookedAt), asc(account.hireId), asc(charge.id))
  },
)

/** A charge that may be collected; `replaces`: the collection that it is in, which was not signed. */
export type DueCharge = { id: string; amount: bigint; replaces: string | null }

/** A hire's budget account, and what is due from it, the oldest charge first. */
export type DueAccount = {
  hireId: string
  hirer: Wallet
  address: Address
  failedAt: Date | null
  charges: DueCharge[]
}

/**
 * Reads what may be collected for an owner: of the budget accounts with charges due those that have waited
 * longest for a look, and of each its oldest charges. Nothing of suspended agents, and nothing that lapsed.
 */
export async function selectDue(
  db: Db,
  due: { owner: Wallet; hireId?: string | undefined; now: Date; accounts: number; charges: number },
): Promise<DueAccount[]> {
  const rows = await dueRows.run(db, due)
  return [...Map.groupBy(rows, ({ hireId }) => hireId).values()].flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const { hireId, hirer, address, failedAt } = first
    const charges = rows.map(({ chargeId: id, amount, replaces }) => ({ id, amount, replaces }))
    return [{ hireId, hirer, address, failedAt, charges }]
  })
}
