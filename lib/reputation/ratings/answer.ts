import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { type RatingRow, ratingById } from './rating-queries.ts'

/**
 * Records the owner's answer to a rating of their agent, once. The same answer again changes nothing.
 * @throws ApiError rating_not_found, already_answered
 */
export async function answerRating(
  deps: { db: Db; now: Date; notify: Notify },
  owner: Wallet,
  { id, answer }: { id: string; answer: string },
): Promise<RatingRow> {
  const answered = { id, owner, answer, now: deps.now }
  const read = ratingById.item({ id })
  const [{ outcome, toNotify }, [rating]] = await postgres.answerRating.callThenRead(deps.db, answered, read)
  if (!rating || outcome === 'rating_not_found')
    throw new ApiError('rating_not_found', 'None of your agents has a rating with this id.')
  if (outcome === 'already_answered')
    throw new ApiError('already_answered', 'You have already answered this rating, and an answer is final.')
  deps.notify(toNotify)
  return rating
}
