import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { type Cred, cred, formatAmount } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { RatingRequest } from '../../../schema/wire/ratings.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { DAY_MS } from '../../time.ts'
import { type RatingRow, ratedAgent, ratedHire } from './rating-queries.ts'

/** Days within which a rating may be revised, once. */
export const REVISABLE_DAYS = 30

/**
 * Rates a hire that the wallet has paid for, or an agent whose requests it has paid for, or revises the
 * rating. The same rating again changes nothing. The agent must be another wallet's.
 * @throws ApiError hire_not_found, agent_not_found, own_hire, too_little_paid, rating_final
 */
export async function rate(
  deps: { db: Db; now: Date; fees: { minPaid: Cred }; notify: Notify },
  wallet: Wallet,
  { hireId, agentId, rating, comment }: InferOutput<typeof RatingRequest>,
): Promise<{ rating: RatingRow; isNew: boolean }> {
  const { db, now } = deps
  const { minPaid } = deps.fees
  const id = uuidv7({ msecs: now.getTime() })
  const revisableSince = new Date(now.getTime() - REVISABLE_DAYS * DAY_MS)
  const [{ outcome, toNotify }, [rated]] = await postgres.giveRating.callThenRead(
    db,
    { id, hireId, agentId, wallet, rating, comment, minPaid, revisableSince, now },
    agentId === undefined ? ratedHire.item({ hireId }) : ratedAgent.item({ agentId, wallet }),
  )
  if (outcome === 'agent_not_found') throw new ApiError('agent_not_found', 'No agent has this id.')
  if (!rated || outcome === 'hire_not_found')
    throw new ApiError('hire_not_found', 'You have no hire with this id.')
  if (outcome === 'own_hire') throw new ApiError('own_hire', 'You can’t rate your own agent or a hire of it.')
  if (outcome === 'too_little_paid') throw tooLittlePaid(rated.paid, minPaid, agentId !== undefined)
  if (!rated.rating) throw new Error('the recorded rating is missing')
  if (outcome === 'rating_final') throw ratingFinal(rated.rating.rating)
  deps.notify(toNotify)
  return { rating: { ...rated.rating, paid: rated.paid }, isNew: outcome === 'rated' }
}

const tooLittlePaid = (paid: bigint, minPaid: Cred, isOfRequests: boolean) => {
  const [least, most] = [formatAmount(minPaid), formatAmount(cred(paid))]
  return new ApiError(
    'too_little_paid',
    isOfRequests
      ? `You can rate this agent after you have paid it ${least} CRED for requests (${most} so far).`
      : `You can rate this hire after ${least} CRED has been collected for it (${most} so far).`,
  )
}

const ratingFinal = (rating: number) =>
  new ApiError(
    'rating_final',
    `Your rating of ${rating} is final: you can revise a rating once, within ${REVISABLE_DAYS} days.`,
  )
