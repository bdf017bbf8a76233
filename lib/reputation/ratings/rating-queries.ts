import { and, desc, eq, getTableColumns, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { ratings } from '../../../schema/tables/ratings.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { collectedOf } from '../counterparties/queries.ts'
import { requestsPaidOf } from '../counterparties/request-queries.ts'

/** A rating, with the lamports that its wallet has paid for the hire or for requests to the agent. */
export type RatingRow = typeof ratings.$inferSelect & { paid: bigint }

/** Selects these lamports, for a row of ratings. */
const paidOf = sql`case when ${ratings.hireId} is null then ${requestsPaidOf(ratings.agentId, ratings.wallet)}
  else ${collectedOf(ratings.hireId)} end`.mapWith(BigInt) as SQL<bigint>

/**
 * Selects the lamports collected for a hire, and its rating, if any. Run after give_rating, which checks
 * that the hire is the wallet's.
 */
export const ratedHire = read({ hireId: optional(ratings.hireId) }, (db, $) =>
  db
    .select({ paid: collectedOf($.hireId), rating: getTableColumns(ratings) })
    .from(sql`(select) as one`)
    .leftJoin(ratings, eq(ratings.hireId, $.hireId)),
)

/** Selects the same for an agent whose requests a wallet has paid for. */
export const ratedAgent = read({ agentId: ratings.agentId, wallet: ratings.wallet }, (db, $) =>
  db
    .select({ paid: requestsPaidOf($.agentId, $.wallet), rating: getTableColumns(ratings) })
    .from(sql`(select) as one`)
    .leftJoin(
      ratings,
      and(eq(ratings.agentId, $.agentId), eq(ratings.wallet, $.wallet), isNull(ratings.hireId)),
    ),
)

/** Selects a rating by its id, after answer_rating. */
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
      // The agent is a range and part of the order, so that the planner cannot choose the index of ids.
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

/** Reads up to `limit` ratings of an agent, newest first, optionally after one. */
export const selectRatings = (
  db: Db,
  agentId: string,
  page: { beforeId?: string | undefined; limit: number },
): Promise<RatingRow[]> =>
  ratingPage.run(db, { ...page, agentId }, { isContinued: page.beforeId !== undefined })
