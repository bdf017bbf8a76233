import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from '../queries.ts'

/* What the settlement Worker reads of intents. */

/** Signed by the authority; of others nothing can come but by the relay. */
export const isSigned = sql`(${vaultIntents.signing} = 'service_first' or ${vaultIntents.cosignedAt} is not null)`

const ownersWithOpenIntents = read({ limit: 'integer' }, (db, $) =>
  db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .innerJoin(vaults, eq(vaults.owner, vaultIntents.owner))
    .where(and(eq(vaultIntents.status, 'open'), isSigned))
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

const stacksToLookAt = read(
  { since: vaultIntents.createdAt, now: 'timestamptz', limit: 'integer' },
  (db, $) => {
    const isLookedAt = sql`(${vaultIntents.lookedAt} is not null)`
    const due = db
      .select({ id: vaultIntents.id })
      .from(vaultIntents)
      .where(
        and(
          eq(vaultIntents.status, 'expired'),
          eq(vaultIntents.kind, 'stack'),
          isSigned,
          gte(vaultIntents.createdAt, $.since),
          // After as long again as had passed at the last look.
          sql`(${vaultIntents.lookedAt} is null or 2 * (${vaultIntents.lookedAt} - ${vaultIntents.createdAt})
            <= ${$.now} - ${vaultIntents.createdAt})`,
        ),
      )
      .orderBy(asc(isLookedAt), sql`${vaultIntents.yield} desc nulls last`)
      .limit($.limit)
    return intentsWhere(db, sql`${vaultIntents.id} = any (array(${due}))`)
  },
)

/**
 * Reads the signed stacks built since then that expired and are due for another look: first the ones that
 * nobody has looked at again, of these the ones with the most yield at stake.
 */
export const selectStacksToLookAt = async (
  db: Db,
  at: { since: Date; now: Date; limit: number },
): Promise<Intent[]> => intentsOf(await stacksToLookAt.run(db, at))

const stacksLookedAt = statement({ ids: 'uuid[]', now: vaultIntents.createdAt }, (db, $) =>
  db
    .update(vaultIntents)
    .set({ lookedAt: sql`${$.now}` })
    .where(sql`${vaultIntents.id} = any (${$.ids})`),
)

/** Records that these expired stacks were looked at again. */
export async function recordSecondLooks(db: Db, at: { ids: string[]; now: Date }): Promise<void> {
  await stacksLookedAt.run(db, at)
}
