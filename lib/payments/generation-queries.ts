import { and, eq, ne, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { hiredAt } from '../agents/hired-queries.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hasLapsed } from './charge-state-queries.ts'

/* What a deployment reads of key generations; no Worker runs these. */

const approved = statement({ now: 'timestamptz' }, (db, $) => {
  const hired = hiredAt(db, $.now)
  return db
    .selectDistinct({ generation: budgetAccounts.generation })
    .from(budgetAccounts)
    .innerJoin(hired, eq(hired.id, budgetAccounts.hireId))
    .where(sql`not ${hasLapsed(hired, $.now)}`)
})

// A hirer withdraws alone.
const open = statement({}, (db) =>
  db
    .selectDistinct({ generation: paymentIntents.generation })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.status, 'open'), ne(paymentIntents.kind, 'withdraw_budget'))),
)

/**
 * Reads the key generations that are still needed, in order: those that budget accounts of hires with charges
 * that may be collected approve, and those of open transactions.
 */
export async function selectNeededGenerations(db: Db, now: Date): Promise<number[]> {
  const rows = (await batch(db, [approved.item({ now }), open.item({})])).flat()
  return [...new Set(rows.map(({ generation }) => generation))].toSorted((one, other) => one - other)
}
