import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { Refusal } from '../../refusal.ts'
import { type RatingRow, recordAnswer } from './rating-queries.ts'

/**
 * Answers a rating of one's own agent, once. The same again is answered as it stands.
 * @throws Refusal rating_not_found, already_answered
 */
export async function answerRating(
  deps: { db: Db; now: Date; nudgeDeliveries: Nudge },
  owner: Wallet,
  { id, answer }: { id: string; answer: string },
): Promise<RatingRow> {
  const outcome = await recordAnswer(deps.db, { id, owner, answer, now: deps.now })
  if (!outcome) throw new Refusal('rating_not_found', 'No agent of yours has such a rating.')
  const { rating, due } = outcome
  deps.nudgeDeliveries(due)
  if (rating.answer === answer) return rating
  throw new Refusal('already_answered', 'You have answered this rating; an answer is final.')
}
