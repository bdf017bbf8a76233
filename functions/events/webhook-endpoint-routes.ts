import { changeEndpoint } from '../../lib/events/endpoints/change.ts'
import { confirmEndpoint } from '../../lib/events/endpoints/confirm.ts'
import { createEndpoint } from '../../lib/events/endpoints/create.ts'
import { listEndpoints, readEndpoint } from '../../lib/events/endpoints/list.ts'
import { removeEndpoint } from '../../lib/events/endpoints/remove.ts'
import {
  newWebhookEndpointView,
  rotatedSecretView,
  webhookEndpointListView,
  webhookEndpointView,
} from '../../lib/events/endpoints/views.ts'
import { rotateEndpointSecret } from '../../lib/events/secrets/rotate.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import {
  NewWebhookEndpoint,
  RotatedSecret,
  WebhookEndpoint,
  WebhookEndpointList,
} from '../../schema/wire/webhooks/endpoint-answers.ts'
import {
  WebhookEndpointListQuery,
  WebhookEndpointPatch,
  WebhookEndpointPath,
  WebhookEndpointRequest,
} from '../../schema/wire/webhooks/endpoint-requests.ts'
import { ConfirmRequest } from '../../schema/wire/webhooks/proof.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.EventsEnv, Deps>()

/** Where an answer's webhook endpoint leads. */
const links = {
  getEndpoint: { id: '#/id' },
  updateEndpoint: { id: '#/id' },
  deleteEndpoint: { id: '#/id' },
  testEndpoint: { id: '#/id' },
  listAttempts: { id: '#/id' },
} as const

/** Webhook endpoints hear all that a wallet does, so no session that was made for less may touch them. */
const access = withSession('agents:register')

/** The session, the limit and the path of operations on one webhook endpoint. */
export const ofOne = { access, limit: 'WALLET_LIMIT', params: WebhookEndpointPath } as const

/** A wallet's webhook endpoints and their secrets. */
export const webhookEndpointRoutes = [
  operation({
    method: 'POST',
    path: '/events/endpoints',
    access,
    limit: 'WALLET_LIMIT',
    body: WebhookEndpointRequest,
    docs: WORDS && {
      id: 'createEndpoint',
      summary: 'Make a webhook endpoint',
      description:
        'The events of your log are sent to it from now on. Its secret is shown in this answer and never again. A wallet has at most ten webhook endpoints, the webhooks of its agents aside; from a client address come 300 an hour, test events among them, and beyond that as many as the wallet’s protocol fees have bought.',
      answers: { 201: { description: 'The endpoint and its secret.', schema: NewWebhookEndpoint, links } },
      errors: ['quota_exceeded', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body, headers }) => {
      const made = await createEndpoint(deps, session.wallet, body, clientAddress(headers))
      return json(newWebhookEndpointView(made), 201)
    },
  }),
  operation({
    method: 'GET',
    path: '/events/endpoints',
    access,
    limit: 'WALLET_LIMIT',
    query: WebhookEndpointListQuery,
    docs: WORDS && {
      id: 'listEndpoints',
      summary: 'List your webhook endpoints',
      description: 'Those that you have made, and the webhooks of your agents.',
      answers: {
        200: {
          description: 'One page.',
          schema: WebhookEndpointList,
          headers: { Link: 'The next page, if there is one.' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listEndpoints(deps, session.wallet, query)
      return json(webhookEndpointListView(page), 200, nextPageLink(url, page.nextCursor))
    },
  }),
  operation({
    method: 'GET',
    path: '/events/endpoints/{id}',
    ...ofOne,
    docs: WORDS && {
      id: 'getEndpoint',
      summary: 'Read a webhook endpoint',
      description: 'What you have set, and how its URL has answered. Its secret is not shown.',
      answers: { 200: { description: 'The endpoint.', schema: WebhookEndpoint, links } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(webhookEndpointView(await readEndpoint(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'PATCH',
    path: '/events/endpoints/{id}',
    ...ofOne,
    body: WebhookEndpointPatch,
    docs: WORDS && {
      id: 'updateEndpoint',
      summary: 'Change, pause or resume a webhook endpoint',
      description:
        'Filters count for events from now on. What happens while it is paused is held; enabling it, or setting the same URL anew, makes that due at once, and what has failed before, up to 5,000 deliveries a call. Another URL inherits nothing that waits. From a client address come 600 changes an hour, and beyond that as many as the wallet’s protocol fees have bought.',
      answers: { 200: { description: 'The endpoint as changed.', schema: WebhookEndpoint, links } },
      errors: ['endpoint_not_found', 'endpoint_of_agent', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body, headers }) => {
      const change = { id: params.id, patch: body }
      const endpoint = await changeEndpoint(deps, session.wallet, change, clientAddress(headers))
      return json(webhookEndpointView(endpoint))
    },
  }),
  operation({
    method: 'POST',
    path: '/events/endpoints/{id}/confirm',
    ...ofOne,
    body: ConfirmRequest,
    docs: WORDS && {
      id: 'confirmEndpoint',
      summary: 'Prove a webhook endpoint by its challenge',
      description:
        'For a receiver that can’t answer `endpoint.verification` with the SHA-256 of its challenge: hand the challenge back here. The endpoint is proven, and what waits is sent.',
      answers: { 200: { description: 'The endpoint, proven.', schema: WebhookEndpoint, links } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(webhookEndpointView(await confirmEndpoint(deps, session.wallet, { id: params.id, ...body }))),
  }),
  operation({
    method: 'DELETE',
    path: '/events/endpoints/{id}',
    ...ofOne,
    docs: WORDS && {
      id: 'deleteEndpoint',
      summary: 'Delete a webhook endpoint',
      description:
        'Nothing more is sent to it, and what was in line is given up. Its deliveries stay in GET /events/deliveries for their 30 days.',
      answers: { 200: { description: 'The endpoint as it was.', schema: WebhookEndpoint } },
      errors: ['endpoint_not_found', 'endpoint_of_agent', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(webhookEndpointView(await removeEndpoint(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'POST',
    path: '/events/endpoints/{id}/secret',
    ...ofOne,
    docs: WORDS && {
      id: 'rotateEndpointSecret',
      summary: 'Rotate a webhook endpoint’s secret',
      description:
        'The new secret is shown in this answer and never again. For 24 hours the one before signs, too; rotating once more ends that at once. By an agent’s id it rotates the secret of the agent’s webhook, or makes its first.',
      answers: { 200: { description: 'The new secret.', schema: RotatedSecret } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(rotatedSecretView(params.id, await rotateEndpointSecret(deps, session.wallet, params.id))),
  }),
]
