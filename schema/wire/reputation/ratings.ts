import * as v from 'valibot'
import { constrain, describe, describeParameters, whenFits } from '../../docs.ts'
import { AGENT_ID, HIRE_ID, RATING_ID, WALLET } from '../../examples.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Cursor, Integer, PageLimit, Timestamp, Uuid, WireAmount, WireUuid } from '../common.ts'
import { Name } from '../text.ts'

const MAX_TEXT_LENGTH = 500

/** Body of POST /reputation/ratings. */
export const RatingRequest = v.pipe(
  v.strictObject({
    hireId: v.optional(Uuid),
    agentId: v.optional(Uuid),
    rating: Integer(1, 5),
    comment: v.optional(Name(1, MAX_TEXT_LENGTH)),
  }),
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
)

constrain(
  RatingRequest,
  whenFits({ required: ['hireId'] }, { not: { required: ['agentId'] } }, { required: ['agentId'] }),
)

describe(RatingRequest, {
  name: 'RatingRequest',
  description:
    'Your rating of a hire that you paid for, or of an agent that you paid for requests (x402). Unknown fields are rejected.',
  fields: {
    hireId: 'Your hire. Use either this or agentId.',
    agentId: 'The agent that you paid for requests. Use either this or hireId.',
    rating: '1 (worst) to 5. With 1 or 2 you count as dissatisfied.',
    comment: `Up to ${MAX_TEXT_LENGTH} characters; public.`,
  },
  example: { hireId: HIRE_ID, rating: 5, comment: 'Found what it promised.' },
})

/** Body of POST /reputation/ratings/{id}/answer. */
export const AnswerRequest = v.strictObject({ answer: Name(1, MAX_TEXT_LENGTH) })

describe(AnswerRequest, {
  name: 'AnswerRequest',
  description: 'The answer of the agent’s owner.',
  fields: { answer: `Up to ${MAX_TEXT_LENGTH} characters; public.` },
  example: { answer: 'Thank you.' },
})

export const RatingPath = v.object({ id: Uuid })

describeParameters(RatingPath, { id: 'The rating.' }, { id: RATING_ID })

/** Query of GET /reputation/ratings. */
export const RatingListQuery = v.object({ agentId: Uuid, limit: PageLimit, cursor: v.optional(Cursor) })

describeParameters(
  RatingListQuery,
  {
    agentId: 'The agent.',
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { agentId: AGENT_ID },
)

export const Rating = v.strictObject({
  id: WireUuid,
  agentId: WireUuid,
  wallet: OwnText,
  rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  comment: v.optional(UserText),
  paidFor: v.picklist(['hire', 'requests']),
  paid: WireAmount,
  paidFormatted: OwnText,
  createdAt: Timestamp,
  revisedAt: v.optional(Timestamp),
  answer: v.optional(UserText),
  answeredAt: v.optional(Timestamp),
})

const ratingExample: v.InferInput<typeof Rating> = {
  id: RATING_ID,
  agentId: AGENT_ID,
  wallet: WALLET,
  rating: 5,
  comment: 'Found what it promised.',
  paidFor: 'hire',
  paid: 120_000_000_000,
  paidFormatted: '120',
  createdAt: '2026-11-22T09:00:00.000Z',
}

describe(Rating, {
  name: 'Rating',
  description: 'A wallet’s rating of a hire, or of requests, that it paid for.',
  fields: {
    id: 'UUID.',
    agentId: 'The agent.',
    wallet: 'The rating wallet.',
    rating: '1 (worst) to 5.',
    comment: 'The wallet’s own words.',
    paidFor: 'What it rates: a hire, or requests (x402).',
    paid: 'Lamports of CRED collected for this hire, or paid by the wallet for requests to the agent.',
    paidFormatted: 'The same in CRED.',
    createdAt: 'When it was published.',
    revisedAt: 'When it was revised; the fields show the revision.',
    answer: 'The answer of the agent’s owner.',
    answeredAt: 'When the owner answered.',
  },
  example: ratingExample,
})

export const RatingList = v.strictObject({
  ratings: v.array(Rating),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(RatingList, {
  name: 'RatingList',
  description: 'One page of an agent’s ratings.',
  fields: {
    ratings: 'Newest first.',
    count: 'Number of ratings on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { ratings: [ratingExample], count: 1 },
})
