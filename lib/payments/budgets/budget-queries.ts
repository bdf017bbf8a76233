import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { budgetAccounts } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { hasLapsed } from '../charges/charge-queries.ts'

/* Reads the budget accounts of hires. */

const budgetOfHire = read({ hireId: 'uuid', hirer: 'text', now: 'timestamptz' }, (db, $) => {
  const hired = hireParties(db, $.now)
  return db
    .select({
      hireId: hired.id,
      owner: hired.owner,
      isOver: hasLapsed(hired, $.now),
      budgetNumber: hired.budgetNumber,
      recordedAddress: budgetAccounts.address,
    })
    .from(hired)
    .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, hired.id))
    .where(and(eq(hired.id, $.hireId), eq(hired.hirer, $.hirer)))
})

/** A hire: its hirer, its agent's owner, and the place of its budget account. */
export type HireBudget = {
  hireId: string
  hirer: Wallet
  owner: Wallet
  /** Whether its charges have lapsed, so that nothing can be collected any more. */
  isOver: boolean
  budgetNumber: number
  /** Null until a funding is recorded. */
  recordedAddress: Address | null
}

/** Reads a hire and its budget account; undefined if the wallet has no hire with this id. */
export async function findHireBudget(
  db: Db,
  asked: { hireId: string; hirer: Wallet; now: Date },
): Promise<HireBudget | undefined> {
  const [row] = await budgetOfHire.run(db, asked)
  if (!row) return undefined
  return { ...row, hirer: asked.hirer, owner: row.owner as Wallet }
}

type Role = 'owner' | 'hirer'

const budgetRows = read(
  { wallet: 'text', hireId: 'uuid?', after: 'uuid?', now: 'timestamptz', limit: 'integer' },
  (db, $, { role }: { role: Role }) => {
    const hired = hireParties(db, $.now)
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

/** A hire's budget account as recorded, and the sum due from it. */
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

/** Reads a page of one side's budget accounts, the oldest hires first. */
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
