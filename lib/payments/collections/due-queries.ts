import { and, asc, eq, isNotNull, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { hasLapsed } from '../charges/charge-queries.ts'
import { isAwaitingSignature } from '../transactions/intent-queries.ts'

/* Reads the charges that can be collected. */

/** Selects charges that can be collected: recorded, and in no collection or in an unsigned one. */
function isCollectable(db: Builder, owner: SQLWrapper) {
  const unsigned = db
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(
      and(sql`${paymentIntents.wallet} = ${owner}`, eq(paymentIntents.kind, 'collect'), isAwaitingSignature),
    )
  return and(
    eq(charges.status, 'recorded'),
    or(isNull(charges.collectionId), sql`${charges.collectionId} = any (array(${unsigned}))`),
  )
}

const dueRows = read(
  {
    owner: budgetAccounts.owner,
    hireId: 'uuid?',
    now: 'timestamptz',
    accounts: 'integer',
    charges: 'integer',
  },
  (db, $, { isRecorded }: { isRecorded: boolean }) => {
    // Starts from the owner's charges, not from the accounts, since strangers can open any number of
    // accounts.
    const charged = db.$with('charged').as(
      db
        .selectDistinct({ hireId: charges.hireId })
        .from(charges)
        .where(
          and(
            eq(charges.owner, $.owner),
            sql`(${$.hireId} is null or ${charges.hireId} = ${$.hireId})`,
            isCollectable(db, $.owner),
          ),
        ),
    )
    const hired = hireParties(db, $.now, charged.hireId)
    const account = db.$with('account').as(
      db
        .select({
          hireId: hired.id,
          hirer: hired.hirer,
          budgetNumber: hired.budgetNumber,
          address: budgetAccounts.address,
          failedAt: budgetAccounts.failedAt,
          lookedAt: budgetAccounts.lookedAt,
        })
        .from(charged)
        .innerJoinLateral(hired, sql`true`)
        .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, charged.hireId))
        .where(
          sql`${isRecorded ? isNotNull(budgetAccounts.hireId) : isNull(budgetAccounts.hireId)}
            and ${budgetAccounts.heldAt} is null and not ${hired.isSuspended} and not ${hasLapsed(hired, $.now)}`,
        )
        // A read that finds no account stores nothing, so the order of unrecorded accounts is random.
        .orderBy(isRecorded ? asc(budgetAccounts.lookedAt) : sql`random()`, asc(hired.id))
        .limit($.accounts),
    )
    const charge = db
      .select({ id: charges.id, amount: charges.amount })
      .from(charges)
      .where(and(eq(charges.hireId, account.hireId), isCollectable(db, $.owner)))
      .orderBy(asc(charges.id))
      .limit($.charges)
      .as('charge')
    return db
      .with(charged, account)
      .select({
        hireId: account.hireId,
        hirer: account.hirer,
        budgetNumber: account.budgetNumber,
        address: account.address,
        failedAt: account.failedAt,
        chargeId: charge.id,
        amount: charge.amount,
      })
      .from(account)
      .innerJoinLateral(charge, sql`true`)
      .orderBy(asc(account.lookedAt), asc(account.hireId), asc(charge.id))
  },
)

/** A charge that can be collected. */
export type DueCharge = { id: string; amount: bigint }

/** A hire's budget account, and its due charges, the oldest first. */
export type DueAccount = {
  hireId: string
  hirer: Wallet
  address: Address
  failedAt: Date | null
  charges: DueCharge[]
}

/** A hire without a recorded budget account, and its due charges. The address follows from the hire. */
type UndiscoveredAccount = Omit<DueAccount, 'address'> & { budgetNumber: number }

/**
 * Reads the charges that can be collected for an owner, in one round trip: the oldest of each budget account.
 * Leaves out lapsed charges and charges of suspended agents.
 * @returns `due`: the accounts with due charges, the longest unread first; `undiscovered`: hires with due
 *   charges whose budget account is not recorded
 */
export async function selectDue(
  db: Db,
  {
    accounts,
    undiscovered,
    ...asked
  }: {
    owner: Wallet
    hireId?: string | undefined
    now: Date
    accounts: number
    undiscovered: number
    charges: number
  },
): Promise<{ due: DueAccount[]; undiscovered: UndiscoveredAccount[] }> {
  const [recorded, others] = await batch(db, [
    dueRows.item({ ...asked, accounts }, { isRecorded: true }),
    dueRows.item({ ...asked, accounts: undiscovered }, { isRecorded: false }),
  ])
  return {
    due: hiresOf(recorded).flatMap(({ address, budgetNumber, ...hire }) =>
      address === null ? [] : [{ ...hire, address }],
    ),
    undiscovered: hiresOf(others).map(({ address, ...hire }) => hire),
  }
}

type DueRow = {
  hireId: string
  hirer: string
  budgetNumber: number
  address: Address | null
  failedAt: Date | null
  chargeId: string
  amount: bigint
}

/** Groups rows by hire: one hire with all its charges. */
const hiresOf = (rows: DueRow[]): (UndiscoveredAccount & Pick<DueRow, 'address'>)[] =>
  [...Map.groupBy(rows, ({ hireId }) => hireId).values()].flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const { hireId, hirer, budgetNumber, address, failedAt } = first
    const charges = rows.map(({ chargeId: id, amount }) => ({ id, amount }))
    return [{ hireId, hirer: hirer as Wallet, budgetNumber, address, failedAt, charges }]
  })

const accountsRead = statement(
  { owner: budgetAccounts.owner, readHires: 'uuid[]', now: budgetAccounts.lookedAt },
  (db, $) =>
    db
      .update(budgetAccounts)
      .set({ lookedAt: $.now })
      .where(and(eq(budgetAccounts.owner, $.owner), sql`${budgetAccounts.hireId} = any(${$.readHires})`)),
)

/**
 * Records that the accounts of these hires were read, and that none of them can pay. Other accounts come
 * first in the next collection.
 */
export const recordReading = async (
  db: Db,
  at: { owner: Wallet; readHires: string[]; now: Date },
): Promise<void> => {
  await accountsRead.run(db, at)
}
