import { and, eq, exists, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import { vaultIntents, vaults } from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { statement } from '../db/statement.ts'
import { SETTLE_LEASE_MS } from '../transactions/relay/limits.ts'

/* Who may ask the chain about an owner's open intents: of all callers within the lease's time one. */

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

/** The lease of an owner who has no row yet: of the opening of a vault, which its owner may send alone. */
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

/** A lease taken at or before this is over at `now`. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() - SETTLE_LEASE_MS)

/** The statements that take an owner's lease: where either returns a row, the caller has it. */
export function leaseItems(owner: Wallet, now: Date) {
  const at = { owner, now, leaseEnd: leaseEnd(now) }
  return [leaseTaken.item(at), openingLeased.item(at)] as const
}
