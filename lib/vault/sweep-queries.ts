import { and, asc, desc, eq, gte, inArray, lt, lte, not, sql } from 'drizzle-orm'
import { positions, vaultIntentLegs, vaultIntents } from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from './queries.ts'
import { isUnsigned } from './unsigned-queries.ts'

/* What the jobs Worker reads and deletes of intents. */

const ownersWithOpenIntents = statement({ limit: 'integer' }, (db, $) =>
  db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .where(and(eq(vaultIntents.status, 'open'), not(isUnsigned)))
    .groupBy(vaultIntents.owner)
    .orderBy(sql`min(${vaultIntents.createdAt})`)
    .limit($.limit),
)

/** Owners with open intents that are signed, those who have waited longest first. */
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

type Ended = { wereSigned: boolean }

const endedDeleted = statement(
  { before: vaultIntents.createdAt, limit: 'integer' },
  (db, $, { wereSigned }: Ended) => {
    const old = db.$with('old').as(
      db
        .select({ id: vaultIntents.id })
        .from(vaultIntents)

        .where(
          and(
            inArray(vaultIntents.status, ['expired', 'failed']),
            lt(vaultIntents.createdAt, $.before),
            wereSigned ? undefined : isUnsigned,
          ),
        )
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
  },
)

/** Deletes intents that expired or failed and were built before then, at most `limit` of them. */
export async function deleteEndedIntents(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await endedDeleted.run(db, { before, limit }, { wereSigned: true })
  return rowCount
}

/** The same of those that were never signed, of which nobody needs to know for long. */
export async function deleteUnsigned(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await endedDeleted.run(db, { before, limit }, { wereSigned: false })
  return rowCount
}

const unsignedLapsed = statement(
  { builtBy: vaultIntents.createdAt, now: vaultIntents.createdAt, limit: 'integer' },
  (db, $) => {
    const old = db.$with('old').as(
      db
        .select({ id: vaultIntents.id })
        .from(vaultIntents)
        .where(and(eq(vaultIntents.status, 'open'), isUnsigned, lte(vaultIntents.createdAt, $.builtBy)))
        .orderBy(asc(vaultIntents.createdAt))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    )
    const released = db
      .$with('released')
      .as(
        db
          .update(positions)
          .set({ openClaim: null })
          .from(old)
          .where(eq(positions.openClaim, old.id))
          .returning({ id: positions.id }),
      )
    return db
      .with(old, released)
      .update(vaultIntents)
      .set({ status: 'expired', resolvedAt: $.now })
      .from(old)
      .where(eq(vaultIntents.id, old.id))
  },
)

/** Ends what was not signed by its deadline, built at or before `builtBy`, at most `limit` of them. */
export async function expireUnsigned(
  db: Db,
  { builtBy, now, limit }: { builtBy: Date; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await unsignedLapsed.run(db, { builtBy, now, limit })
  return rowCount
}
