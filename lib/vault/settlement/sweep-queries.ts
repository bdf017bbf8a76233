import { and, asc, desc, eq, gte, not, sql } from 'drizzle-orm'
import { vaultIntentLegs, vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from '../queries.ts'

/* What the settlement Worker reads of intents. */

/** Of wallet_first, built and not cosigned: nothing can come of them but by the relay. */
const isUnsigned = sql`(${vaultIntents.signing} = 'wallet_first' and ${vaultIntents.cosignedAt} is null)`

const ownersWithOpenIntents = read({ limit: 'integer' }, (db, $) =>
  db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .innerJoin(vaults, eq(vaults.owner, vaultIntents.owner))
    .where(and(eq(vaultIntents.status, 'open'), not(isUnsigned)))
    .groupBy(vaultIntents.owner)
    .orderBy(sql`min(${vaults.settledAt})`)
    .limit($.limit),
)

/**
 * Owners with open intents that are signed, those first of whom the chain was asked longest ago: what one of
 * them can't have settled keeps no other waiting.
 */
export async function selectOwnersWithOpenIntents(db: Db, limit: number): Promise<Wallet[]> {
  const rows = await ownersWithOpenIntents.run(db, { limit })
  return rows.map(({ owner }) => owner)
}

const expiredStacks = read({ since: vaultIntents.createdAt, limit: 'integer' }, (db, $) =>
  intentsWhere(
    db,
    and(
      eq(vaultIntents.status, 'expired'),
      eq(vaultIntents.kind, 'stack'),
      not(isUnsigned),
      gte(vaultIntents.createdAt, $.since),
    ),
  )
    .orderBy(desc(vaultIntents.id), asc(vaultIntentLegs.address))
    .limit($.limit),
)

/** Stacks built since then that expired, newest first. */
export const selectExpiredStacks = async (db: Db, since: Date, limit: number): Promise<Intent[]> =>
  intentsOf(await expiredStacks.run(db, { since, limit }))
