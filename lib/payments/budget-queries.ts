import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { charges } from '../../schema/tables/payments.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hiredAt } from '../agents/hired-queries.ts'
import { batch } from '../db/batch.ts'
import { hasRows, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hasLapsed } from './charge-state-queries.ts'
import { intentFields, intentParameters, isUnsigned, type NewIntent } from './intent-queries.ts'

/* Hires' budget accounts: reading them, and recording transactions that fund or empty them. */

const budgetOfHire = statement({ hireId: 'uuid', hirer: 'text', now: 'timestamptz' }, (db, $) => {
  const hired = hiredAt(db, $.now)
  return db
    .select({
      hireId: hired.id,
      agentId: hired.agentId,
      owner: hired.owner,
      isOver: hasLapsed(hired, $.now),
      address: budgetAccounts.address,
      seed: budgetAccounts.seed,
    })
    .from(hired)
    .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, hired.id))
    .where(and(eq(hired.id, $.hireId), eq(hired.hirer, $.hirer)))
})

/** A hire of the hirer's: its agent's owner, and where its budget account is, once one was built. */
export type HireBudget = {
  hireId: string
  agentId: string
  owner: Wallet
  /** Whether its charges have lapsed, so that nothing can be collected any more. */
  isOver: boolean
  account: { address: Address; seed: string } | undefined
}

/** Reads a hire and its budget account; undefined when the wallet has no such hire. */
export async function findHireBudget(
  db: Db,
  asked: { hireId: string; hirer: Wallet; now: Date },
): Promise<HireBudget | undefined> {
  const [row] = await budgetOfHire.run(db, asked)
  if (!row) return undefined
  const { address, seed, owner, ...hire } = row
  return { ...hire, owner: owner as Wallet, account: address && seed ? { address, seed } : undefined }
}

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
          lookedAt: sql`'epoch'`,
        })
        .onConflictDoUpdate({
          target: budgetAccounts.hireId,
          set: { address: sql`${$.address}`, seed: sql`${$.seed}` },
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

type Role = 'owner' | 'hirer'

const budgetRows = statement(
  { wallet: 'text', hireId: 'uuid?', after: 'uuid?', now: 'timestamptz', limit: 'integer' },
  (db, $, { role }: { role: Role }) => {
    const hired = hiredAt(db, $.now)
    const due = db
      .select({
        total: sql<string>`coalesce(sum(${charges.amount}), 0)`.as('due_total'),
        count: sql<string>`count(*)`.as('due_count'),
      })
      .from(charges)
      .where(
        and(
          eq(charges.hireId, budgetAccounts.hireId),
          eq(charges.status, 'recorded'),
          sql`not ${hasLapsed(hired, $.now)}`,
        ),
      )
      .as('due')
    return db
      .select({
        hireId: budgetAccounts.hireId,
        agentId: budgetAccounts.agentId,
        owner: budgetAccounts.owner,
        hirer: budgetAccounts.hirer,
        address: budgetAccounts.address,
        unpaid: due.total,
        unpaidCharges: due.count,
      })
      .from(budgetAccounts)
      .innerJoin(hired, eq(hired.id, budgetAccounts.hireId))
      .innerJoinLateral(due, sql`true`)
      .where(
        and(
          eq(budgetAccounts[role], sql`${$.wallet}`),
          sql`(${$.hireId} is null or ${budgetAccounts.hireId} = ${$.hireId})`,
          sql`(${$.after} is null or ${gt(budgetAccounts.hireId, sql`${$.after}`)})`,
        ),
      )
      .orderBy(asc(budgetAccounts.hireId))
      .limit($.limit)
  },
)

/** A hire's budget account as recorded, and what is due from it. */
export type BudgetRow = {
  hireId: string
  agentId: string
  owner: Wallet
  hirer: Wallet
  address: Address
  /** Lamports of charges that are neither collected nor lapsed. */
  unpaid: bigint
  unpaidCharges: number
}

/** Reads a page of one side's budget accounts, those of the oldest hires first. */
export async function selectBudgets(
  db: Db,
  page: {
    role: Role
    wallet: Wallet
    hireId?: string | undefined
    after?: string | undefined
    now: Date
    limit: number
  },
): Promise<BudgetRow[]> {
  const { role, ...asked } = page
  const rows = await budgetRows.run(db, asked, { role })
  return rows.map(({ unpaid, unpaidCharges, ...row }) => ({
    ...row,
    unpaid: BigInt(unpaid),
    unpaidCharges: Number(unpaidCharges),
  }))
}
