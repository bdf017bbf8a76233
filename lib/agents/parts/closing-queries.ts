import {
  and,
  asc,
  inArray,
  lte,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
  type WithSubquery,
} from 'drizzle-orm'
import { hirePeriods } from '../../../schema/tables/hire-periods.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'

/* Closing hires that ended long ago, as parts of the statement that deletes what was charged on them. */

/** The CTE `over`: locks hires that ended by then and are not closed, those that ended first. */
export const hiresOver = (db: Builder, at: { endedBy: SQLWrapper; limit: Placeholder }) =>
  db.$with('over').as(
    db
      .select({ id: hires.id })
      .from(hires)
      .where(and(lte(hires.endedAt, at.endedBy), sql`not ${hires.closed}`))
      .orderBy(asc(hires.endedAt))
      .limit(at.limit)
      .for('no key update', { skipLocked: true }),
  )

/**
 * The CTEs `closed` and `forgotten`: close those that are settled, and delete their periods in which nothing
 * was paid.
 */
export function closeHires(
  db: Builder,
  { over, isSettled }: { over: WithSubquery & { id: SQLWrapper }; isSettled: SQL },
) {
  const closed = db.$with('closed').as(
    db
      .update(hires)
      .set({ closed: true })
      .from(over)
      .where(and(sql`${hires.id} = ${over.id}`, isSettled))
      .returning({ id: hires.id }),
  )
  const forgotten = db.$with('forgotten').as(
    db
      .delete(hirePeriods)
      .where(
        and(
          inArray(hirePeriods.hireId, sql`(select ${closed.id} from ${closed})`),
          sql`${hirePeriods.spent} = 0`,
        ),
      )
      .returning({ hireId: hirePeriods.hireId }),
  )
  return [closed, forgotten] as const
}
