import { and, eq, isNull, sql } from 'drizzle-orm'
import { text } from 'drizzle-orm/pg-core'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import { int64 } from '../../schema/tables/columns.ts'
import { positions, vaultIntentLegs } from '../../schema/tables/vaults.ts'
import { computed, names, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { intentInserted, intentParameters, type NewIntent } from './intent-queries.ts'

/* Recording a built claim. */

/** One position of a claim: what it pays, and the state of the position that this was computed from. */
export type ClaimLeg = { address: Address; amount: Cred; balance: Cred; claimedBefore: Cred }

const claimLegs = computed({
  address: text().notNull(),
  amount: int64('amount').notNull(),
  balance: int64('balance').notNull(),
  claimedBefore: int64('claimed_before').notNull(),
})

const claimInsert = statement(
  {
    ...intentParameters,
    addresses: 'text[]',
    amounts: 'bigint[]',
    balances: 'bigint[]',
    claimedBefore: 'bigint[]',
  },
  (db, $) => {
    const { address, amount, balance, claimedBefore } = claimLegs
    const due = db.$with('due', claimLegs).as(sql`
      select * from unnest(${$.addresses}, ${$.amounts}, ${$.balances}, ${$.claimedBefore})
        as due (${names(address, amount, balance, claimedBefore)})`)
    const locked = db.$with('locked').as(
      db
        .select({ address: positions.address })
        .from(positions)
        .innerJoin(due, eq(positions.address, due.address))
        .where(
          and(
            eq(positions.owner, $.owner),
            eq(positions.status, 'open'),
            isNull(positions.openClaim),
            eq(positions.claimed, due.claimedBefore),
          ),
        )
        .orderBy(positions.address)
        .for('update', { of: positions }),
    )
    const held = db.$with('held').as(
      db
        .update(positions)
        .set({ openClaim: $.id })
        .from(due)
        .where(
          and(
            eq(positions.address, due.address),
            sql`(select count(*) from ${locked}) = (select count(*) from ${due})`,
          ),
        )
        .returning({ address: positions.address }),
    )
    const intent = intentInserted(db, $, 'claim', held)
    const legs = db
      .select(
        rowFields(vaultIntentLegs, {
          intentId: intent.id,
          address: due.address,
          amount: due.amount,
          balanceBefore: due.balance,
        }),
      )
      .from(intent)
      .crossJoin(due)
    return db.with(due, locked, held, intent).insert(vaultIntentLegs).select(legs)
  },
)

/**
 * Records a built claim if each of its positions is still as it was read: open, without an open claim, and
 * with the same yield claimed. All of them or nothing: a payout settled since then makes the whole claim
 * void.
 * @returns whether it was recorded
 */
export async function insertClaim(db: Db, intent: NewIntent, legs: ClaimLeg[]): Promise<boolean> {
  const { rowCount } = await claimInsert.run(db, {
    ...intent,
    addresses: legs.map(({ address }) => address),
    amounts: legs.map(({ amount }) => amount),
    balances: legs.map(({ balance }) => balance),
    claimedBefore: legs.map(({ claimedBefore }) => claimedBefore),
  })
  return rowCount > 0
}
