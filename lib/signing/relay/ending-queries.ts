import {
  and,
  asc,
  eq,
  inArray,
  lt,
  lte,
  type SQL,
  type SQLWrapper,
  sql,
  type WithSubquery,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'

/* How intents end that were not signed, and how those that ended are forgotten: the same for every group. */

/** A group's table of intents, and which of them were never signed. */
type Intents = {
  intents: PgTable & Record<'id' | 'status' | 'createdAt' | 'resolvedAt', PgColumn>
  neverSigned: SQL
}

/**
 * Makes the call that ends what was not signed by its deadline: built at or before `builtBy`, at most `limit`
 * of them.
 * @param release makes the CTE that frees what the intents of the CTE `old` hold
 */
export function endingOfUnsigned({
  intents,
  neverSigned,
  release,
}: Intents & { release(db: Builder, old: WithSubquery & { id: SQLWrapper }): WithSubquery }) {
  const ending = statement({ builtBy: 'timestamptz', now: 'timestamptz', limit: 'integer' }, (db, $) => {
    const old = db.$with('old').as(
      db
        .select({ id: intents.id })
        .from(intents)
        .where(and(eq(intents.status, 'open'), neverSigned, lte(intents.createdAt, $.builtBy)))
        .orderBy(asc(intents.createdAt))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    )
    return db
      .with(old, release(db, old))
      .update(intents)
      .set({ status: 'expired', resolvedAt: $.now })
      .from(old)
      .where(eq(intents.id, old.id))
  })
  return async (db: Db, at: { builtBy: Date; now: Date; limit: number }): Promise<number> =>
    (await ending.run(db, at)).rowCount
}

/**
 * Makes the call that deletes intents that expired or failed and were built before then, with their legs, at
 * most `limit` of them; only those that were never signed unless `wereSigned`.
 */
export function deletionOfEnded({
  intents,
  neverSigned,
  legs,
}: Intents & { legs: PgTable & { intentId: PgColumn } }) {
  const deletion = statement(
    { before: 'timestamptz', limit: 'integer' },
    (db, $, { wereSigned }: { wereSigned: boolean }) => {
      const old = db.$with('old').as(
        db
          .select({ id: intents.id })
          .from(intents)
          .where(
            and(
              inArray(intents.status, ['expired', 'failed']),
              lt(intents.createdAt, $.before),
              wereSigned ? undefined : neverSigned,
            ),
          )
          .orderBy(asc(intents.createdAt))
          .limit($.limit)
          .for('update', { skipLocked: true }),
      )
      const ids = db.select({ id: old.id }).from(old)
      const deleted = db
        .$with('deleted')
        .as(db.delete(legs).where(inArray(legs.intentId, ids)).returning({ intentId: legs.intentId }))
      // Counting the legs has them deleted before their intents.
      return db
        .with(old, deleted)
        .delete(intents)
        .where(and(inArray(intents.id, ids), sql`(select count(*) from ${deleted}) >= 0`))
    },
  )
  return async (db: Db, at: { before: Date; wereSigned: boolean; limit: number }): Promise<number> => {
    const { before, limit, wereSigned } = at
    return (await deletion.run(db, { before, limit }, { wereSigned })).rowCount
  }
}
