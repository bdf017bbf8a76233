import { and, desc, eq, getTableColumns, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { ratings } from '../../../schema/tables/ratings.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { collectedOf } from '../dealings/queries.ts'
import { requestsPaidOf } from '../dealings/request-queries.ts'

/** A rating, and the lamports that its wallet has paid for the hire, or for requests to the agent. */
export type RatingRow = typeof ratings.$inferSelect & { paid: bigint }

/** Those lamports, as a column of a select from ratings. */
const paidOf = sql`case when ${ratings.hireId} is null then ${requestsPaidOf(ratings.agentId, ratings.wallet)}
  else ${collectedOf(ratings.hireId)} end`.mapWith(BigInt) as SQL<bigint>

/**
 * Selects what give_rating has left of a hire: the lamports collected for it, and its rating, if it has one.
 * A statement, to be read after the function, which says whether the hire is the wallet's.
 */
export const ratedHire = read({ hireId: optional(ratings.hireId) }, (db, $) =>
  db
    .select({ paid: collectedOf($.hireId), rating: getTableColumns(ratings) })
    .from(sql`(select) as one`)
    .leftJoin(ratings, eq(ratings.hireId, $.hireId)),
)

/** The same of an agent whose requests a wallet has paid for. */
export const ratedAgent = read({ agentId: ratings.agentId, wallet: ratings.wallet }, (db, $) =>
  db
    .select({ paid: requestsPaidOf($.agentId, $.wallet), rating: getTableColumns(ratings) })
    .from(sql`(select) as one`)
    .leftJoin(
      ratings,
      and(eq(ratings.agentId, $.agentId), eq(ratings.wallet, $.wallet), isNull(ratings.hireId)),
    ),
)

/** Selects a rating by its id: a statement, to be read after answer_rating. */
export const ratingById = read({ id: ratings.id }, (db, $) =>
  db
    .select({ ...getTableColumns(ratings), paid: paidOf })
    .from(ratings)
    .where(eq(ratings.id, $.id)),
)

const ratingPage = read(
  { agentId: ratings.agentId, beforeId: optional(ratings.id), limit: 'integer' },
  (db, $, shape: { isContinued: boolean }) =>
    db
      .select({ ...getTableColumns(ratings), paid: paidOf })
      .from(ratings)
      // The agent as a range and in the order: no other index, such as the one of ids, looks as if it would
      // do.
      .where(
        and(
          gte(ratings.agentId, $.agentId),
          shape.isContinued
            ? sql`(${ratings.agentId}, ${ratings.id}) < (${$.agentId}, ${$.beforeId})`
            : lte(ratings.agentId, $.agentId),
        ),
      )
      .orderBy(desc(ratings.agentId), desc(ratings.id))
      .limit($.limit),
)

/** Reads up to `limit` ratings of an agent, newest first, after one if it is given. */
export const selectRatings = (
  db: Db,
  agentId: string,
  page: { beforeId?: string | undefined; limit: number },
): Promise<RatingRow[]> =>
  ratingPage.run(db, { ...page, agentId }, { isContinued: page.beforeId !== undefined })
