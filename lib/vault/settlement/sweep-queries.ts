import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { vaultIntents } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { checksIn } from '../../transactions/confirmation/check-queries.ts'
import { type Intent, intentsOf, intentsWhere } from '../queries.ts'

/* What the settlement Worker reads of intents. */

/** Records when open intents are asked about and searched for next. */
export const vaultChecks = checksIn(vaultIntents, 'searchAfter')

/** Signed by the authority; of others nothing can come but by the relay. */
export const isSigned = sql`(${vaultIntents.signing} = 'service_first' or ${vaultIntents.cosignedAt} is not null)`

const dueOwners = read({ now: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .where(and(eq(vaultIntents.status, 'open'), lte(vaultIntents.dueAt, $.now)))
    .groupBy(vaultIntents.owner)
    .orderBy(sql`min(${vaultIntents.dueAt})`)
    .limit($.limit),
)

/** Owners with signed intents that are due to be asked about, the longest waiting first. */
export async function selectDueOwners(db: Db, now: Date, limit: number): Promise<Wallet[]> {
  const rows = await dueOwners.run(db, { now, limit })
  return rows.map(({ owner }) => owner)
}

const stacksToLookAt = read({ now: 'timestamptz', limit: 'integer' }, (db, $) => {
  const isLookedAt = sql`(${vaultIntents.lookedAt} is not null)`
  const due = db
    .select({ id: vaultIntents.id })
    .from(vaultIntents)
    .where(and(eq(vaultIntents.status, 'expired'), lte(vaultIntents.dueAt, $.now)))
    .orderBy(asc(isLookedAt), sql`${vaultIntents.yield} desc nulls last`)
    .limit($.limit)
  return intentsWhere(db, sql`${vaultIntents.id} = any (array(${due}))`)
})

/**
 * Reads signed stacks that expired and are due for another look: first the ones that nobody has looked at
 * again, of these the ones with the most yield at stake.
 */
export const selectStacksToLookAt = async (db: Db, at: { now: Date; limit: number }): Promise<Intent[]> =>
  intentsOf(await stacksToLookAt.run(db, at))

const stacksLookedAt = statement(
  { ids: 'uuid[]', seen: 'uuid[]', now: 'timestamptz', watchedSince: 'timestamptz', again: 'timestamptz' },
  (db, $) => {
    const isSeen = sql`${vaultIntents.id} = any (${$.seen})`
    const next = sql`case when ${isSeen}
      then ${vaultIntents.createdAt} + 4 * (${$.now} - ${vaultIntents.createdAt}) else ${$.again} end`
    return db
      .update(vaultIntents)
      .set({
        lookedAt: sql`case when ${isSeen} then ${$.now} else ${vaultIntents.lookedAt} end`,
        dueAt: sql`case when ${next} - ${vaultIntents.createdAt} < ${$.now} - ${$.watchedSince} then ${next} end`,
      })
      .where(sql`${vaultIntents.id} = any (${$.ids})`)
  },
)

/**
 * Records that these expired stacks were looked at again. The next look comes at four times a stack's age,
 * within the time that it is watched; of those that the node could not tell of, or that did not fit in,
 * `again`.
 * @param at.seen those of them that the node has told of
 */
export async function recordSecondLooks(
  db: Db,
  at: { ids: string[]; seen: string[]; now: Date; watchedSince: Date; again: Date },
): Promise<void> {
  await stacksLookedAt.run(db, at)
}
