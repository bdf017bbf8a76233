import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { answerRating } from '../../lib/reputation/ratings/answer.ts'
import { listRatings, ratingRow, ratingView } from '../../lib/reputation/ratings/list-ratings.ts'
import { REVISABLE_DAYS, rate } from '../../lib/reputation/ratings/rate.ts'
import { figure } from '../../schema/figures.ts'
import {
  AnswerRequest,
  Rating,
  RatingList,
  RatingListQuery,
  RatingPath,
  RatingRequest,
} from '../../schema/wire/ratings.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.ReputationEnv, Deps>()

/** The ratings of hires, and of agents whose requests were paid for. */
export const ratingRoutes = [
  operation({
    method: 'GET',
    path: '/reputation/ratings',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: RatingListQuery,
    docs: {
      id: 'listRatings',
      summary: 'List an agent’s ratings',
      description:
        'Newest first, each with the amount that its wallet paid for the hire or for requests. Comments and answers are their wallets’ own text.',
      answers: {
        200: {
          description: 'One page.',
          schema: RatingList,
          links: { answerRating: { id: '#/ratings/0/id' } },
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query, url }) => {
      const page = await listRatings(deps, query)
      return pageAnswer(RatingList, 'ratings', page.ratings.map(ratingRow), { url, ...page })
    },
  }),
  operation({
    method: 'POST',
    path: '/reputation/ratings',
    access: withSession('agents:hire'),
    limit: 'WALLET_LIMIT',
    body: RatingRequest,
    docs: {
      id: 'rateHire',
      summary: 'Rate a hire or an agent',
      description: [
        'With `hireId`: your hire, after enough has been collected for it (`minPaid` of the rules). With `agentId`: an agent that you have paid as much in CRED for requests (x402). Each hire has one rating, and each payer rates an agent’s requests once.',
        `To revise a rating, send a different one within ${figure(REVISABLE_DAYS)} days; this is possible once.`,
        'Repeating the same rating changes nothing. Only a wallet’s latest rating of an agent counts, weighted by the protocol fees that it has paid.',
      ].join(' '),
      answers: {
        200: {
          description: 'The rating, revised or unchanged.',
          schema: Rating,
          links: { listRatings: { agentId: '#/agentId' } },
        },
        201: {
          description: 'The rating.',
          schema: Rating,
          links: { listRatings: { agentId: '#/agentId' }, answerRating: { id: '#/id' } },
        },
      },
      errors: [
        'own_hire',
        'hire_not_found',
        'agent_not_found',
        'too_little_paid',
        'rating_final',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => {
      const { rating, isNew } = await rate(deps, session.wallet, body)
      return isNew ? json(ratingView(rating), 201) : json(ratingView(rating))
    },
  }),
  operation({
    method: 'POST',
    path: '/reputation/ratings/{id}/answer',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    params: RatingPath,
    body: AnswerRequest,
    docs: {
      id: 'answerRating',
      summary: 'Answer a rating',
      description: 'The agent’s owner can answer once. Repeating the same answer changes nothing.',
      answers: { 200: { description: 'The rating with its answer.', schema: Rating } },
      errors: ['rating_not_found', 'already_answered', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(ratingView(await answerRating(deps, session.wallet, { ...params, ...body }))),
  }),
]
