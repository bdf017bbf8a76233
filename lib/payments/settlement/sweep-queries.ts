import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from '../transactions/intent-queries.ts'

/* Who may ask the chain about open intents. */

const leased = statement({ now: paymentIntents.askedAt, limit: 'integer' }, (db, $) => {
  const waiting = db.$with('waiting').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(and(eq(paymentIntents.status, 'open'), lte(paymentIntents.dueAt, $.now)))
      .orderBy(asc(paymentIntents.dueAt))
      .limit($.limit)
      .for('update', { skipLocked: true }),
  )
  const asked = db
    .$with('asked')
    .as(
      db
        .update(paymentIntents)
        .set({ askedAt: $.now })
        .from(waiting)
        .where(eq(paymentIntents.id, waiting.id))
        .returning({ id: paymentIntents.id }),
    )
  return db.with(waiting, asked).select({ id: asked.id }).from(asked)
})

const intentsByIds = read({ ids: 'uuid[]' }, (db, $) =>
  intentsWhere(db, sql`${paymentIntents.id} = any(${$.ids})`),
)

/** Takes signed intents that are due, their outcome unknown, the longest waiting first. */
export async function leaseDueIntents(db: Db, now: Date, limit: number): Promise<Intent[]> {
  const rows = await leased.run(db, { now, limit })
  if (rows.length === 0) return []
  return intentsOf(await intentsByIds.run(db, { ids: rows.map(({ id }) => id) }))
}

const looksRecorded = statement({ ids: 'uuid[]', dueAts: 'timestamptz[]', now: 'timestamptz' }, (db, $) => {
  // Whoever settles one of them at this moment has locked it: nobody waits for anybody.
  const free = db
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(
      and(
        sql`${paymentIntents.id} = any (${$.ids})`,
        // As one value, so that they are looked up by their ids, not among all that is due.
        sql`case when ${paymentIntents.status} = 'open' then ${paymentIntents.dueAt} end < ${$.now}`,
      ),
    )
    .for('update', { skipLocked: true })
  return db
    .update(paymentIntents)
    .set({ dueAt: sql`look_at` })
    .from(sql`unnest(${$.ids}, ${$.dueAts}) as look (look_id, look_at)`)
    .where(and(eq(paymentIntents.id, sql`look_id`), sql`${paymentIntents.id} = any (array(${free}))`))
})

/** Records when these intents are due next, which were asked about and are open still. */
export async function recordLooks(
  db: Db,
  looks: { ids: string[]; dueAts: Date[]; now: Date },
): Promise<void> {
  await looksRecorded.run(db, looks)
}
