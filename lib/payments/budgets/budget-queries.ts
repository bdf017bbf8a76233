import { and, asc, eq, type SQLWrapper, sql } from 'drizzle-orm'
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

/** The hires of a page: with a recorded account, with charges that may be due, or one. */
type Source = 'account' | 'due' | 'hire'

const budgetRows = read(
  { wallet: 'text', hireId: 'uuid?', after: 'uuid?', now: 'timestamptz', limit: 'integer' },
  (db, $, { role, source, isDue }: { role: Role; source: Source; isDue: boolean }) => {
    const isAfter = (hireId: SQLWrapper) => sql`(${$.after} is null or ${hireId} > ${$.after})`
    const wallet = sql`${$.wallet}`
    const listed = {
      account: db
        .select({ hireId: budgetAccounts.hireId })
        .from(budgetAccounts)
        .where(and(eq(budgetAccounts[role], wallet), isAfter(budgetAccounts.hireId)))
        .orderBy(asc(budgetAccounts.hireId))
        .limit($.limit)
        .as('listed'),
      due: db
        .selectDistinct({ hireId: charges.hireId })
        .from(charges)
        .where(and(eq(charges[role], wallet), eq(charges.status, 'recorded'), isAfter(charges.hireId)))
        .as('listed'),
      hire: db
        .select({ hireId: sql<string>`${$.hireId}`.as('of_hire') })
        .from(sql`(select) as once`)
        .where(isAfter(sql`${$.hireId}`))
        .as('listed'),
    }[source]
    const hired = hireParties(db, $.now, listed.hireId)
    const due = db
      .select({
        total: sql<string>`coalesce(sum(${charges.amount}), 0)`.as('due_total'),
        count: sql<string>`count(*)`.as('due_count'),
      })
      .from(charges)
      .where(
        and(
          eq(charges.hireId, listed.hireId),
          eq(charges.status, 'recorded'),
          sql`not ${hasLapsed(hired, $.now)}`,
        ),
      )
      .as('due')
    return db
      .select({
        hireId: hired.id,
        agentId: hired.agentId,
        owner: hired.owner,
        hirer: hired.hirer,
        budgetNumber: hired.budgetNumber,
        recordedAddress: budgetAccounts.address,
        unpaid: due.total,
        unpaidCharges: due.count,
      })
      .from(listed)
      .innerJoinLateral(hired, sql`true`)
      .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, listed.hireId))
      .innerJoinLateral(due, sql`true`)
      .where(
        and(
          // The other kinds have checked it.
          source === 'hire' ? sql`${hired[role]} = ${wallet}` : undefined,
          isDue ? sql`${due.count} > 0` : undefined,
        ),
      )
      .orderBy(asc(hired.id))
      .limit($.limit)
  },
)

/** A hire with its budget account, and the sum due from it. */
export type BudgetRow = {
  hireId: string
  agentId: string
  owner: Wallet
  hirer: Wallet
  budgetNumber: number
  /** Null until a funding is recorded. */
  recordedAddress: Address | null
  /** Lamports of charges that are neither collected nor lapsed. */
  unpaid: bigint
  unpaidCharges: number
}

/**
 * Reads a page of one side's recorded budget accounts, the oldest hires first. With `due` it reads the
 * accounts of hires with unpaid charges, and with `hireId` the account of one hire, recorded or not.
 */
export async function selectBudgets(
  db: Db,
  page: {
    role: Role
    wallet: Wallet
    hireId?: string | undefined
    due?: boolean | undefined
    after?: string | undefined
    now: Date
    limit: number
  },
): Promise<BudgetRow[]> {
  const { role, due: isDue = false, ...asked } = page
  const source = asked.hireId !== undefined ? 'hire' : isDue ? 'due' : 'account'
  const rows = await budgetRows.run(db, asked, { role, source, isDue })
  return rows.map(({ owner, hirer, unpaid, unpaidCharges, ...row }) => ({
    ...row,
    owner: owner as Wallet,
    hirer: hirer as Wallet,
    unpaid: BigInt(unpaid),
    unpaidCharges: Number(unpaidCharges),
  }))
}
