import { and, eq, sql } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import { cred } from '../../schema/amounts.ts'
import { positions, vaultIntentLegs, vaults } from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { recordEvents } from '../outbox/queries.ts'
import { positionClosed, positionOpened } from './event-queries.ts'
import { resolution, resolve } from './outcome-queries.ts'

/* Opening and closing positions, as the chain shows them. */

/** Opens the position of a stack that has landed, also of one that was held to have expired: see sweep.ts. */
export const stackLanded = statement(
  { ...resolution, balance: positions.escrowed, slot: positions.seenSlot },
  (db, $) => {
    const { before, resolved } = resolve(db, $, { from: ['open', 'expired'], to: 'landed' })
    const wasOpen = sql`(case when ${resolved.statusBefore} = 'open' then 1 else 0 end)`
    const numbered = db.$with('numbered').as(
      db
        .update(vaults)
        .set({
          nextPositionId: sql`${vaults.nextPositionId} + 1`,
          openStacks: sql`${vaults.openStacks} - ${wasOpen}`,
        })
        .from(resolved)
        .where(eq(vaults.owner, resolved.owner))
        .returning({ id: sql<number>`${vaults.nextPositionId} - 1`.as('position_id') }),
    )
    const position = db
      .select(
        rowFields(positions, {
          owner: resolved.owner,
          id: numbered.id,
          address: vaultIntentLegs.address,
          generation: resolved.generation,
          principal: vaultIntentLegs.amount,
          lockDays: resolved.lockDays,
          apyBps: resolved.apyBps,
          stakedAt: resolved.stakedAt,
          status: sql`'open'`,
          escrowed: $.balance,
          seenSlot: $.slot,
          claimed: sql`0`,
          openClaim: sql`null`,
          withdrawnAt: sql`null`,
        }),
      )
      .from(resolved)
      .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, resolved.id))
      .crossJoin(numbered)
    const opened = db.$with('opened').as(db.insert(positions).select(position).returning())
    const event = recordEvents(db, $.now, [positionOpened(db, opened)])
    return db.with(before, resolved, numbered, opened, event).select({ id: event.id }).from(event)
  },
)

/**
 * Closes the position of an unstack. Every unstack of a position that is gone counts as landed, whichever
 * emptied it.
 */
export const unstackLanded = statement(resolution, (db, $) => {
  const { before, resolved } = resolve(db, $, { from: ['open'], to: 'landed' })
  const closed = db.$with('closed').as(
    db
      .update(positions)
      .set({ status: 'withdrawn', withdrawnAt: $.now, escrowed: cred(0n) })
      .from(resolved)
      .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, resolved.id))
      .where(and(eq(positions.address, vaultIntentLegs.address), eq(positions.status, 'open')))
      .returning({
        owner: positions.owner,
        id: positions.id,
        address: positions.address,
        principal: positions.principal,
        withdrawnAt: positions.withdrawnAt,
      }),
  )
  const event = recordEvents(db, $.now, [positionClosed(db, closed)])
  return db.with(before, resolved, closed, event).select({ id: event.id }).from(event)
})

const positionsClosed = statement(
  { owner: positions.owner, addresses: 'text[]', now: 'timestamptz' },
  (db, $) =>
    db
      .update(positions)
      .set({ status: 'withdrawn', withdrawnAt: $.now, escrowed: cred(0n) })
      .where(
        and(
          eq(positions.owner, $.owner),
          sql`${positions.address} = any(${$.addresses})`,
          eq(positions.status, 'open'),
        ),
      ),
)

/**
 * Records positions whose accounts are gone without a withdrawal of ours. Asks nothing when there are none.
 */
export async function closePositions(db: Db, owner: Wallet, addresses: Address[], now: Date): Promise<void> {
  if (addresses.length > 0) await positionsClosed.run(db, { owner, addresses, now })
}
