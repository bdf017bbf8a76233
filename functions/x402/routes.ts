import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { makeKey } from '../../lib/x402/keys/make.ts'
import { keyView } from '../../lib/x402/keys/views.ts'
import { listPayments } from '../../lib/x402/payments/list.ts'
import { paymentListView } from '../../lib/x402/payments/views.ts'
import { setPrices } from '../../lib/x402/prices/set.ts'
import { readTerms } from '../../lib/x402/prices/terms.ts'
import { pricesView, termsView } from '../../lib/x402/prices/views.ts'
import { readSelling } from '../../lib/x402/selling/read.ts'
import { sellingView } from '../../lib/x402/selling/views.ts'
import { FacilitatorKey } from '../../schema/wire/x402/facilitator-answers.ts'
import { RequestPaymentList } from '../../schema/wire/x402/payment-answers.ts'
import { RequestPrices, RequestTerms } from '../../schema/wire/x402/price-answers.ts'
import {
  PricesRequest,
  RequestPaymentListQuery,
  TermsQuery,
  X402AgentPath,
} from '../../schema/wire/x402/requests.ts'
import { RequestSelling } from '../../schema/wire/x402/selling-answers.ts'
import type { Deps } from './deps.ts'
import { facilitatorRoutes } from './facilitator-routes.ts'

const operation = operationFor<Cloudflare.X402Env, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/x402/agents/{id}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: X402AgentPath,
    query: TermsQuery,
    docs: WORDS && {
      id: 'getX402Terms',
      summary: 'Read an agent’s request prices',
      description:
        'The agent’s prices, also as `accepts` for an x402 resource server. With `name`, only the price of one kind of request.',
      answers: { 200: { description: 'The prices.', schema: RequestTerms } },
      errors: ['price_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params, query }) => {
      const terms = await readTerms(deps, params.id, query.name)
      const { newest } = await deps.feePayers()
      return json(termsView(terms, { network: deps.settings.network, feePayer: newest.address }))
    },
  }),
  operation({
    method: 'PUT',
    path: '/x402/agents/{id}/prices',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    body: PricesRequest,
    docs: WORDS && {
      id: 'setX402Prices',
      summary: 'Set an agent’s request prices',
      description:
        'Replaces all prices of one of your agents. Replaced prices stay valid for ten minutes, because clients may have read them. At most 200 replaced prices of an agent are valid at a time: a change beyond that is rejected. A client address may make 60 changes an hour; protocol fees that the wallet has paid raise this limit.',
      answers: {
        200: {
          description: 'The prices.',
          schema: RequestPrices,
          links: { getX402Terms: { id: '#/agentId' } },
        },
      },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body, headers }) => {
      const given = { ...body, address: clientAddress(headers) }
      return json(pricesView(await setPrices(deps, session.wallet, params.id, given)))
    },
  }),
  operation({
    method: 'POST',
    path: '/x402/agents/{id}/key',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    docs: WORDS && {
      id: 'makeX402Key',
      summary: 'Make an agent’s facilitator key',
      description:
        'Makes the facilitator URL for standard x402 software. The key in it spends your credit: keep it secret. A new key replaces the previous one at once.',
      answers: {
        201: {
          description: 'The key, shown once.',
          schema: FacilitatorKey,
          links: { getX402Terms: { id: '#/agentId' }, setX402Prices: { id: '#/agentId' } },
        },
      },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, url }) =>
      json(keyView(await makeKey(deps, session.wallet, params.id), url), 201),
  }),
  operation({
    method: 'GET',
    path: '/x402/agents/{id}/selling',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    docs: WORDS && {
      id: 'getX402Selling',
      summary: 'Read why an agent can’t be paid',
      description:
        'Of one of your agents: what it lacks to sell requests, and why payments were refused since the last one that settled. Only reasons that you can remove are recorded, and nothing of payers.',
      answers: { 200: { description: 'What is missing, and the refusals.', schema: RequestSelling } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(sellingView(await readSelling(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'GET',
    path: '/x402/payments',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: RequestPaymentListQuery,
    docs: WORDS && {
      id: 'listX402Payments',
      summary: 'List payments for requests',
      description:
        'Payments that you received as an agent’s owner, or that you made; newest first. Pages follow by cursor.',
      answers: {
        200: {
          description: 'One page of payments.',
          schema: RequestPaymentList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
          links: { getX402Terms: { id: '#/payments/0/agentId' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listPayments(deps, session.wallet, query)
      return json(paymentListView(page, query.role), 200, nextPageLink(url, page.nextCursor))
    },
  }),
  ...facilitatorRoutes,
]
