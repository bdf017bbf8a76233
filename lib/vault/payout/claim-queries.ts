import { and, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm'
import { text } from 'drizzle-orm/pg-core'
import type { Address } from '../../../schema/address.ts'
import type { Cred } from '../../../schema/amounts.ts'
import { int64 } from '../../../schema/tables/columns.ts'
import { positions, vaultIntentLegs, vaultIntents } from '../../../schema/tables/vaults.ts'
import { batch } from '../../db/batch.ts'
import { computed, names, rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import {
  intentInserted,
  intentParameters,
  type NewIntent,
  vaultLocked,
} from '../transactions/intent-queries.ts'
import { isUnsigned, unsignedVoided } from '../transactions/unsigned-queries.ts'

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
    replaces: 'uuid[]',
  },
  (db, $) => {
    const { address, amount, balance, claimedBefore } = claimLegs
    const due = db.$with('due', claimLegs).as(sql`
      select * from unnest(${$.addresses}, ${$.amounts}, ${$.balances}, ${$.claimedBefore})
        as due (${names(address, amount, balance, claimedBefore)})`)
    // The owner's row is locked, so none of them is signed before this is over.
    const replaceable = db
      .select({ id: vaultIntents.id })
      .from(vaultIntents)
      .where(
        and(
          sql`${vaultIntents.id} = any(${$.replaces})`,
          eq(vaultIntents.owner, $.owner),
          eq(vaultIntents.status, 'open'),
          isUnsigned,
        ),
      )
    const locked = db.$with('locked').as(
      db
        .select({ address: positions.address })
        .from(positions)
        .innerJoin(due, eq(positions.address, due.address))
        .where(
          and(
            eq(positions.owner, $.owner),
            eq(positions.status, 'open'),
            or(isNull(positions.openClaim), inArray(positions.openClaim, replaceable)),
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
    const voided = unsignedVoided(db, $, held)
    // Those of a voided claim that this one does not pay from.
    const released = db.$with('released').as(
      db
        .update(positions)
        .set({ openClaim: null })
        .from(voided)
        .where(
          and(
            eq(positions.openClaim, voided.id),
            notExists(
              db.select({ address: due.address }).from(due).where(eq(due.address, positions.address)),
            ),
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
    return db
      .with(due, locked, held, voided, released, intent)
      .insert(vaultIntentLegs)
      .select(legs)
      .returning({ intentId: vaultIntentLegs.intentId })
  },
)

/**
 * Records a built claim if each of its positions is still as it was read: open, without an open claim (but
 * for those it replaces), and with the same yield claimed. All of them or nothing: a payout settled since
 * then makes the whole claim void.
 * @param replaces open claims that were not signed when they were read; they are voided unless they were
 *   since
 * @returns whether it was recorded
 */
export async function insertClaim(
  db: Db,
  intent: NewIntent,
  legs: ClaimLeg[],
  replaces: string[] = [],
): Promise<boolean> {
  const [, inserted] = await batch(db, [
    vaultLocked.item({ owner: intent.owner }),
    claimInsert.item({
      ...intent,
      addresses: legs.map(({ address }) => address),
      amounts: legs.map(({ amount }) => amount),
      balances: legs.map(({ balance }) => balance),
      claimedBefore: legs.map(({ claimedBefore }) => claimedBefore),
      replaces,
    }),
  ])
  return inserted.length > 0
}
