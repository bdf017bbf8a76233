import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { keyView, makeKey } from '../../lib/x402/keys/make.ts'
import { listPayments, paymentRow } from '../../lib/x402/payments/list.ts'
import { setPrices } from '../../lib/x402/prices/set.ts'
import { readTerms } from '../../lib/x402/prices/terms.ts'
import { pricesView, termsView } from '../../lib/x402/prices/views.ts'
import { hideRoute, requestCheck } from '../../lib/x402/resources/change.ts'
import { listedRoutesView, listRoutes } from '../../lib/x402/resources/list.ts'
import { RESOURCE_PROBES_PER_HOUR, SUPERSEDED_PRICE_MS } from '../../lib/x402/rules.ts'
import { readSelling, sellingView } from '../../lib/x402/selling/read.ts'
import { span } from '../../schema/figures.ts'
import {
  FacilitatorKey,
  ListedRoutes,
  PricesRequest,
  RequestPaymentList,
  RequestPaymentListQuery,
  RequestPrices,
  RequestSelling,
  RequestTerms,
  RouteChange,
  RouteCheck,
  TermsQuery,
  X402AgentPath,
} from '../../schema/wire/x402.ts'
import type { Deps } from './deps.ts'
import { discoveryRoutes } from './discovery-routes.ts'
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
    docs: {
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
    docs: {
      id: 'setX402Prices',
      summary: 'Set an agent’s request prices',
      description: `Replaces all prices of one of your agents. Replaced prices stay valid for ${span(SUPERSEDED_PRICE_MS, 'minute')}, because clients may have read them. At most 200 replaced prices of an agent are valid at a time: a change beyond that is rejected. A client address may make 60 changes an hour; protocol fees that the wallet has paid raise this limit.`,
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
      const change = { ...body, address: clientAddress(headers) }
      return json(pricesView(await setPrices(deps, session.wallet, params.id, change)))
    },
  }),
  operation({
    method: 'POST',
    path: '/x402/agents/{id}/key',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    docs: {
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
    docs: {
      id: 'getX402Selling',
      summary: 'Read why an agent can’t be paid',
      description:
        'Of one of your agents: what it lacks to sell requests, what a payment costs you, and why payments were refused since the last one that settled. Only reasons that you can remove are recorded, and nothing of payers.',
      answers: { 200: { description: 'What is missing, and the refusals.', schema: RequestSelling } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(sellingView(await readSelling(deps, session.wallet, params.id), deps.settings)),
  }),
  operation({
    method: 'GET',
    path: '/x402/agents/{id}/resources',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    docs: {
      id: 'listX402Routes',
      summary: 'Read which routes are in the catalog',
      description:
        'Of one of your agents: each priced route, whether the catalog of paid routes has it, why not, and what you can do about it. A price named by a method and a path is a route. It is listed once a payment has settled whose server declared it with the extension `bazaar`, and its own 402 answer asks for the agent’s price.',
      answers: { 200: { description: 'The routes.', schema: ListedRoutes } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(listedRoutesView(await listRoutes(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'PATCH',
    path: '/x402/agents/{id}/resources',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    body: RouteChange,
    docs: {
      id: 'changeX402Route',
      summary: 'Hide a route or show it',
      description:
        'Keeps a route of one of your agents out of the catalog, or lets it be listed again after a check. The catalog changes within minutes. Payments go on.',
      answers: { 200: { description: 'The routes.', schema: ListedRoutes } },
      errors: ['agent_not_found', 'price_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(listedRoutesView(await hideRoute(deps, session.wallet, params.id, body))),
  }),
  operation({
    method: 'POST',
    path: '/x402/agents/{id}/probes',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: X402AgentPath,
    body: RouteCheck,
    docs: {
      id: 'checkX402Route',
      summary: 'Check a route now',
      description: `Asks the route for its 402 answer, usually within a minute: a host gets at most sixty checks an hour. Without a payment for the route you need credit that you have bought. You may ask ${RESOURCE_PROBES_PER_HOUR} times an hour.`,
      answers: {
        202: { description: 'The routes; this one is pending, or stays listed.', schema: ListedRoutes },
      },
      errors: ['agent_not_found', 'price_not_found', 'route_not_checkable', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(listedRoutesView(await requestCheck(deps, session.wallet, params.id, body.name)), 202),
  }),
  operation({
    method: 'GET',
    path: '/x402/payments',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: RequestPaymentListQuery,
    docs: {
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
      return pageAnswer(
        RequestPaymentList,
        'payments',
        page.payments.map((payment) => paymentRow(payment, query.role)),
        { url, ...page },
      )
    },
  }),
  ...discoveryRoutes,
  ...facilitatorRoutes,
]
