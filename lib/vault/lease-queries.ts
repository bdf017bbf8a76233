import { and, eq, exists, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import { vaultIntents, vaults } from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { statement } from '../db/statement.ts'
import { SETTLE_LEASE_MS } from '../transactions/relay/limits.ts'

/* Leases to ask the chain about an owner's open intents. One caller has the lease at a time. */

const leaseTaken = statement(
  { owner: vaults.owner, now: vaults.settledAt, leaseEnd: vaults.settledAt },
  (db, $) => {
    const openIntent = db
      .select({ id: vaultIntents.id })
      .from(vaultIntents)
      .where(and(eq(vaultIntents.owner, $.owner), eq(vaultIntents.status, 'open')))
    return db
      .update(vaults)
      .set({ settledAt: $.now })
      .where(and(eq(vaults.owner, $.owner), lte(vaults.settledAt, $.leaseEnd), exists(openIntent)))
      .returning({ owner: vaults.owner })
  },
)

/** Leases the opening of a vault, for an owner without a row. The owner may have sent it alone. */
const openingLeased = statement(
  { owner: vaultIntents.owner, now: vaultIntents.createdAt, leaseEnd: vaultIntents.createdAt },
  (db, $) =>
    db
      .update(vaultIntents)
      .set({ searchAfter: sql`${$.now}` })
      .where(
        and(
          eq(vaultIntents.owner, $.owner),
          eq(vaultIntents.status, 'open'),
          eq(vaultIntents.kind, 'open_vault'),
          or(isNull(vaultIntents.searchAfter), lte(vaultIntents.searchAfter, $.leaseEnd)),
          notExists(db.select({ owner: vaults.owner }).from(vaults).where(eq(vaults.owner, $.owner))),
        ),
      )
      .returning({ id: vaultIntents.id }),
)

/** Returns the latest start of a lease that has ended at `now`. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() - SETTLE_LEASE_MS)

/** Returns the statements that take an owner's lease. If either returns a row, the caller has the lease. */
export function leaseItems(owner: Wallet, now: Date) {
  const at = { owner, now, leaseEnd: leaseEnd(now) }
  return [leaseTaken.item(at), openingLeased.item(at)] as const
}
