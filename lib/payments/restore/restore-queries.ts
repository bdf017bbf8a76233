import { and, asc, eq, sql } from 'drizzle-orm'
import { jobs } from '../../../schema/tables/jobs.ts'
import { budgetAccounts, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { hasLapsed } from '../charges/charge-queries.ts'

/* Statements of a restore about hires, payout accounts and jobs. No Worker runs them. */

const hirePage = read({ after: 'uuid?', now: 'timestamptz', limit: 'integer' }, (db, $) => {
  const hired = hireParties(db, $.now)
  return db
    .select({
      hireId: hired.id,
      hirer: hired.hirer,
      owner: hired.owner,
      budgetNumber: hired.budgetNumber,
      isOver: hasLapsed(hired, $.now),
      recordedAddress: budgetAccounts.address,
      recordedKeyVersion: budgetAccounts.keyVersion,
    })
    .from(hired)
    .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, hired.id))
    .where(sql`(${$.after} is null or ${hired.id} > ${$.after})`)
    .orderBy(asc(hired.id))
    .limit($.limit)
})

/** A hire, and the recorded address of its budget account. */
export type HireOfAll = {
  hireId: string
  hirer: Wallet
  owner: Wallet
  budgetNumber: number
  /** Whether its charges have lapsed. */
  isOver: boolean
  recordedAddress: Address | null
  recordedKeyVersion: number | null
}

/** Reads a page of all hires, in the order of their ids. */
export async function selectHiresOfAll(
  db: Db,
  page: { after: string | undefined; now: Date; limit: number },
): Promise<HireOfAll[]> {
  const rows = await hirePage.run(db, page)
  return rows.map((row) => ({ ...row, hirer: row.hirer as Wallet, owner: row.owner as Wallet }))
}

const collectorOwners = read({}, (db) =>
  db
    .selectDistinct({ owner: paymentIntents.wallet })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.kind, 'open_collector'), eq(paymentIntents.status, 'landed'))),
)

/** Reads the owners whose payout accounts are known to exist. */
export const selectCollectorOwners = async (db: Db): Promise<Wallet[]> =>
  (await collectorOwners.run(db, {})).map(({ owner }) => owner)

const jobsOfEscrows = read({ owner: jobs.owner, escrows: 'text[]' }, (db, $) =>
  db
    .select({ id: jobs.id, escrow: sql<Address>`${jobs.escrow}`.as('escrow') })
    .from(jobs)
    .where(and(eq(jobs.owner, $.owner), sql`${jobs.escrow} = any (${$.escrows})`)),
)

/** Finds an agents' owner's jobs among these escrows. */
export const selectJobsOfEscrows = (db: Db, at: { owner: Wallet; escrows: Address[] }) =>
  jobsOfEscrows.run(db, at)
