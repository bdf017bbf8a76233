import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { vaultIntents } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { checksIn } from '../../transactions/confirmation/check-queries.ts'
import { type Intent, intentsOf, intentsWhere } from '../queries.ts'

/* Statements of the settlement Worker about intents. */

/** Records when open intents are checked and searched for next. */
export const vaultChecks = checksIn(vaultIntents, 'searchAfter')

/** Selects intents that the authority has signed. Only the relay can complete the others. */
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

/** Reads the owners of intents that are due for a check, the longest waiting first. */
export async function selectDueOwners(db: Db, now: Date, limit: number): Promise<Wallet[]> {
  const rows = await dueOwners.run(db, { now, limit })
  return rows.map(({ owner }) => owner)
}

const stacksToRecheck = read({ now: 'timestamptz', limit: 'integer' }, (db, $) => {
  const wasRechecked = sql`(${vaultIntents.lookedAt} is not null)`
  const due = db
    .select({ id: vaultIntents.id })
    .from(vaultIntents)
    .where(and(eq(vaultIntents.status, 'expired'), lte(vaultIntents.dueAt, $.now)))
    .orderBy(asc(wasRechecked), sql`${vaultIntents.yield} desc nulls last`)
    .limit($.limit)
  return intentsWhere(db, sql`${vaultIntents.id} = any (array(${due}))`)
})

/**
 * Reads expired stacks that are due for another check: never rechecked ones first, then the largest yields.
 */
export const selectStacksToRecheck = async (db: Db, at: { now: Date; limit: number }): Promise<Intent[]> =>
  intentsOf(await stacksToRecheck.run(db, at))

const stacksRechecked = statement(
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
 * Records that these expired stacks were checked again. The next check comes at four times a stack's age,
 * until the stack is too old.
 * @param at.seen the stacks whose check gave a result
 * @param at.again the next check of the other stacks: the node was behind, or they did not fit into the call
 */
export async function recordRechecks(
  db: Db,
  at: { ids: string[]; seen: string[]; now: Date; watchedSince: Date; again: Date },
): Promise<void> {
  await stacksRechecked.run(db, at)
}
