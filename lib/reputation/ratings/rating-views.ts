import { cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { Rating, RatingList } from '../../../schema/wire/ratings.ts'
import type { RatingRow } from './rating-queries.ts'

/** A rating as everybody sees it. */
export const ratingView = (row: RatingRow): Wire<typeof Rating> => ({
  id: row.id,
  agentId: row.agentId,
  wallet: row.wallet,
  rating: row.rating,
  comment: row.comment ?? undefined,
  paid: row.paid,
  paidFormatted: formatAmount(cred(row.paid)),
  createdAt: row.createdAt.toISOString(),
  revisedAt: row.revisedAt?.toISOString(),
  answer: row.answer ?? undefined,
  answeredAt: row.answeredAt?.toISOString(),
})

/** One page of an agent's ratings. */
export const ratingListView = (page: {
  ratings: RatingRow[]
  nextCursor?: string
}): Wire<typeof RatingList> => ({
  ratings: page.ratings.map(ratingView),
  count: page.ratings.length,
  nextCursor: page.nextCursor,
})
