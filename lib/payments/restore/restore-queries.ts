import { and, asc, eq, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { hasLapsed } from '../charges/charge-queries.ts'

/* What a restore reads of hires and collectors; no Worker runs these. */

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
      recordedGeneration: budgetAccounts.generation,
    })
    .from(hired)
    .leftJoin(budgetAccounts, eq(budgetAccounts.hireId, hired.id))
    .where(sql`(${$.after} is null or ${hired.id} > ${$.after})`)
    .orderBy(asc(hired.id))
    .limit($.limit)
})

/** A hire, and where its budget account is recorded. */
export type HireOfAll = {
  hireId: string
  hirer: Wallet
  owner: Wallet
  budgetNumber: number
  /** Whether its charges have lapsed. */
  isOver: boolean
  recordedAddress: Address | null
  recordedGeneration: number | null
}

/** Reads a page of all hires, by their ids. */
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

/** Reads whose collectors are known to stand. */
export const selectCollectorOwners = async (db: Db): Promise<Wallet[]> =>
  (await collectorOwners.run(db, {})).map(({ owner }) => owner)
