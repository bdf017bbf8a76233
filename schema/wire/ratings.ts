import * as v from 'valibot'
import { constrain, whenFits } from '../docs.ts'
import { AGENT_ID, HIRE_ID, RATING_ID, WALLET } from '../examples.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import { Integer, Timestamp, Uuid, WireAmount, WireUuid } from './common.ts'
import { Name } from './text.ts'

const MAX_TEXT_LENGTH = 500

/** Body of POST /reputation/ratings. */
export const RatingRequest = body(
  'RatingRequest',
  'Your rating of a hire that you paid for, or of an agent that you paid for requests (x402). Unknown fields are rejected.',
  {
    hireId: [v.optional(Uuid), 'Your hire. Use either this or agentId.'],
    agentId: [v.optional(Uuid), 'The agent that you paid for requests. Use either this or hireId.'],
    rating: [Integer(1, 5), '1 (worst) to 5. With 1 or 2 you count as dissatisfied.'],
    comment: [v.optional(Name(1, MAX_TEXT_LENGTH)), `Up to ${MAX_TEXT_LENGTH} characters; public.`],
  },
  { hireId: HIRE_ID, rating: 5, comment: 'Found what it promised.' },
  (object) =>
    v.pipe(
      object,
      v.forward(
        v.partialCheck(
          [['hireId'], ['agentId']],
          ({ hireId, agentId }) => hireId !== undefined || agentId !== undefined,
          'is required unless agentId is given',
        ),
        ['hireId'],
      ),
      v.forward(
        v.partialCheck(
          [['hireId'], ['agentId']],
          ({ hireId, agentId }) => hireId === undefined || agentId === undefined,
          'must be absent with hireId',
        ),
        ['agentId'],
      ),
    ),
)
constrain(
  RatingRequest,
  whenFits({ required: ['hireId'] }, { not: { required: ['agentId'] } }, { required: ['agentId'] }),
)

/** Body of POST /reputation/ratings/{id}/answer. */
export const AnswerRequest = body(
  'AnswerRequest',
  'The answer of the agent’s owner.',
  { answer: [Name(1, MAX_TEXT_LENGTH), `Up to ${MAX_TEXT_LENGTH} characters; public.`] },
  { answer: 'Thank you.' },
)

export const RatingPath = parameters({ id: [Uuid, 'The rating.'] }, { id: RATING_ID })

/** Query of GET /reputation/ratings. */
export const RatingListQuery = parameters(
  { agentId: [Uuid, 'The agent.'], ...pageFields },
  { agentId: AGENT_ID },
)

export const Rating = body(
  'Rating',
  'A wallet’s rating of a hire, or of requests, that it paid for.',
  {
    id: [WireUuid, 'UUID.'],
    agentId: [WireUuid, 'The agent.'],
    wallet: [OwnText, 'The rating wallet.'],
    rating: [v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), '1 (worst) to 5.'],
    comment: [v.optional(UserText), 'The wallet’s own words.'],
    paidFor: [v.picklist(['hire', 'requests']), 'What it rates: a hire, or requests (x402).'],
    paid: [
      WireAmount,
      'Lamports of CRED collected for this hire, or paid by the wallet for requests to the agent.',
    ],
    paidFormatted: [OwnText, 'The same in CRED.'],
    createdAt: [Timestamp, 'When it was published.'],
    revisedAt: [v.optional(Timestamp), 'When it was revised; the fields show the revision.'],
    answer: [v.optional(UserText), 'The answer of the agent’s owner.'],
    answeredAt: [v.optional(Timestamp), 'When the owner answered.'],
  },
  {
    id: RATING_ID,
    agentId: AGENT_ID,
    wallet: WALLET,
    rating: 5,
    comment: 'Found what it promised.',
    paidFor: 'hire',
    paid: 120_000_000_000,
    paidFormatted: '120',
    createdAt: '2026-11-22T09:00:00.000Z',
  },
)

export const RatingList = pageOf(['RatingList', 'ratings', 'One page of an agent’s ratings.'], Rating, [
  'Newest first.',
  'ratings',
])
