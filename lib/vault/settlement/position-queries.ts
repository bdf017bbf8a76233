import { and, eq, sql } from 'drizzle-orm'
import { cred } from '../../../schema/amounts.ts'
import { positions, vaultIntentLegs, vaults } from '../../../schema/tables/vaults.ts'
import { rowFields } from '../../db/columns.ts'
import { statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { positionClosed, positionOpened } from '../event-queries.ts'
import { resolution, resolve } from './outcome-queries.ts'
import { dayYield, ownerYield } from './yield-queries.ts'

/* Opening and closing the positions of intents. What else is seen of them is in sighting-queries.ts. */

/** Opens the position of a stack that has landed, also of one that was held to have expired: see sweep.ts. */
export const stackLanded = statement(
  { ...resolution, balance: positions.escrowed, slot: positions.seenSlot },
  (db, $) => {
    const { before, resolved } = resolve(db, $, { from: ['open', 'expired'], to: 'landed' })
    const numbered = db.$with('numbered').as(
      db
        .update(vaults)
        .set({
          nextPositionId: sql`${vaults.nextPositionId} + 1`,
          openStacks: sql`${vaults.openStacks} - ${resolved.stacksBefore}`,
          ...ownerYield(resolved, sql`true`),
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
          seenAt: $.now,
          early: sql`null`,
          suspectedSlot: sql`null`,
          leaveOpen: sql`false`,
        }),
      )
      .from(resolved)
      .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, resolved.id))
      .crossJoin(numbered)
    const opened = db.$with('opened').as(db.insert(positions).select(position).returning())
    const event = recordEvents(db, $.now, [positionOpened(db, opened)])
    const delivery = putInLine(db, $.now, event)
    const day = dayYield(db, resolved, sql`true`)
    return db
      .with(before, resolved, numbered, opened, event, delivery, day)
      .select({ due: endpointsDue(delivery) })
      .from(event)
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
  const delivery = putInLine(db, $.now, event)
  return db
    .with(before, resolved, closed, event, delivery)
    .select({ due: endpointsDue(delivery) })
    .from(event)
})
