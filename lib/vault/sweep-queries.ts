import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { vaultIntentLegs, vaultIntents, vaultUnsigned } from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from './queries.ts'

/* What the jobs Worker reads and deletes of intents. */

const ownersWithOpenIntents = statement({ limit: 'integer' }, (db, $) =>
  db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .where(eq(vaultIntents.status, 'open'))
    .groupBy(vaultIntents.owner)
    .orderBy(sql`min(${vaultIntents.createdAt})`)
    .limit($.limit),
)

/** Owners with open intents, those who have waited longest first. */
export async function selectOwnersWithOpenIntents(db: Db, limit: number): Promise<Wallet[]> {
  const rows = await ownersWithOpenIntents.run(db, { limit })
  return rows.map(({ owner }) => owner)
}

const expiredStacks = statement({ since: vaultIntents.createdAt, limit: 'integer' }, (db, $) =>
  intentsWhere(
    db,
    and(
      eq(vaultIntents.status, 'expired'),
      eq(vaultIntents.kind, 'stack'),
      gte(vaultIntents.createdAt, $.since),
    ),
  )
    .orderBy(desc(vaultIntents.id), asc(vaultIntentLegs.address))
    .limit($.limit),
)

/** Stacks built since then that expired, newest first. */
export const selectExpiredStacks = async (db: Db, since: Date, limit: number): Promise<Intent[]> =>
  intentsOf(await expiredStacks.run(db, { since, limit }))

const endedDeleted = statement({ before: vaultIntents.createdAt, limit: 'integer' }, (db, $) => {
  const old = db.$with('old').as(
    db
      .select({ id: vaultIntents.id })
      .from(vaultIntents)
      .where(and(inArray(vaultIntents.status, ['expired', 'failed']), lt(vaultIntents.createdAt, $.before)))
      .orderBy(asc(vaultIntents.createdAt))
      .limit($.limit)
      .for('update', { skipLocked: true }),
  )
  const ids = db.select({ id: old.id }).from(old)
  const legs = db
    .$with('legs')
    .as(
      db
        .delete(vaultIntentLegs)
        .where(inArray(vaultIntentLegs.intentId, ids))
        .returning({ intentId: vaultIntentLegs.intentId }),
    )
  // Counting the legs has them deleted before their intents.
  return db
    .with(old, legs)
    .delete(vaultIntents)
    .where(and(inArray(vaultIntents.id, ids), sql`(select count(*) from ${legs}) >= 0`))
})

/** Deletes intents that expired or failed and were built before then, at most `limit` of them. */
export async function deleteEndedIntents(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await endedDeleted.run(db, { before, limit })
  return rowCount
}

const unsignedDeleted = statement({ before: vaultUnsigned.createdAt, limit: 'integer' }, (db, $) => {
  const old = db
    .select({ owner: vaultUnsigned.owner })
    .from(vaultUnsigned)
    .where(lt(vaultUnsigned.createdAt, $.before))
    .orderBy(asc(vaultUnsigned.createdAt))
    .limit($.limit)
    .for('update', { skipLocked: true })
  return db.delete(vaultUnsigned).where(inArray(vaultUnsigned.owner, old))
})

/** Deletes stacks that were not cosigned and were built before then, at most `limit` of them. */
export async function deleteUnsigned(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await unsignedDeleted.run(db, { before, limit })
  return rowCount
}
