import { answer } from '../../lib/answer.ts'
import { DELIVERY_RETENTION_MS } from '../../lib/events/deletion.ts'
import { changeEndpoint } from '../../lib/events/endpoints/change.ts'
import { confirmEndpoint } from '../../lib/events/endpoints/confirm.ts'
import { createEndpoint } from '../../lib/events/endpoints/create.ts'
import { listEndpoints, readEndpoint } from '../../lib/events/endpoints/list.ts'
import { removeEndpoint } from '../../lib/events/endpoints/remove.ts'
import {
  newWebhookEndpointView,
  webhookEndpointRow,
  webhookEndpointView,
} from '../../lib/events/endpoints/views.ts'
import { OVERLAP_MS, rotateEndpointSecret } from '../../lib/events/secrets/rotate.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../lib/quotas/rules.ts'
import { figure, span } from '../../schema/figures.ts'
import {
  ConfirmRequest,
  NewWebhookEndpoint,
  RotatedSecret,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointListQuery,
  WebhookEndpointPatch,
  WebhookEndpointPath,
  WebhookEndpointRequest,
} from '../../schema/wire/webhooks.ts'
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

/**
 * A webhook endpoint receives all events of its wallet, also after the session has ended. So a session of few
 * permissions, such as a program's that only hires, may neither create, read nor change one. Webhooks have no
 * permission of their own: they need the one of agents' owners.
 */
const access = withSession('agents:register')

/** The session, the limit and the path of operations on one webhook endpoint. */
export const ofOne = { access, limit: 'WALLET_LIMIT', params: WebhookEndpointPath } as const

/**
 * A wallet's webhook endpoints and their secrets. `errors` lists the codes of the use case only.
 * lib/tools/description/answers.ts adds the codes of session and validation, such as `invalid_request`. It
 * also adds `rate_limited`, which is for the limits of wallets and of client addresses.
 */
export const webhookEndpointRoutes = [
  operation({
    method: 'POST',
    path: '/events/endpoints',
    access,
    limit: 'WALLET_LIMIT',
    body: WebhookEndpointRequest,
    docs: {
      id: 'createEndpoint',
      summary: 'Create a webhook endpoint',
      description: `New events of your log are sent to it from now on. Its secret is shown only in this answer. A wallet has at most ${figure(WEBHOOK_ENDPOINTS_PER_WALLET)} webhook endpoints, not counting its agents’ webhooks. A client address may make 300 an hour, including test events; protocol fees that the wallet has paid raise this limit.`,
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
    docs: {
      id: 'listEndpoints',
      summary: 'List your webhook endpoints',
      description: 'The endpoints that you created, and your agents’ webhooks.',
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
      return pageAnswer(WebhookEndpointList, 'endpoints', page.endpoints.map(webhookEndpointRow), {
        url,
        ...page,
      })
    },
  }),
  operation({
    method: 'GET',
    path: '/events/endpoints/{id}',
    ...ofOne,
    docs: {
      id: 'getEndpoint',
      summary: 'Read a webhook endpoint',
      description: 'Its settings, and how its URL has answered. Its secret is not shown.',
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
    docs: {
      id: 'updateEndpoint',
      summary: 'Change, pause or resume a webhook endpoint',
      description:
        'Filters apply to new events. Events while it is paused are held. Enabling it, or setting the same URL again, sends its waiting deliveries at once, up to 5,000 per call. With a new URL, waiting deliveries are given up; POST /events/endpoints/{id}/recover sends them to it. A client address may make 600 changes an hour; protocol fees that the wallet has paid raise this limit.',
      answers: { 200: { description: 'The changed endpoint.', schema: WebhookEndpoint, links } },
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
    docs: {
      id: 'confirmEndpoint',
      summary: 'Confirm a webhook endpoint',
      description:
        'For a receiver that cannot answer `endpoint.verification` with the SHA-256 of its challenge: send the challenge here. The endpoint is then proven, and waiting deliveries are sent. Another challenge gets `invalid_request`.',
      answers: { 200: { description: 'The endpoint, now proven.', schema: WebhookEndpoint, links } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(webhookEndpointView(await confirmEndpoint(deps, session.wallet, { id: params.id, ...body }))),
  }),
  operation({
    method: 'DELETE',
    path: '/events/endpoints/{id}',
    ...ofOne,
    docs: {
      id: 'deleteEndpoint',
      summary: 'Delete a webhook endpoint',
      description: `Nothing more is sent to it, and its queued deliveries are given up. They stay in GET /events/deliveries for ${span(DELIVERY_RETENTION_MS, 'day')}.`,
      answers: { 200: { description: 'The deleted endpoint.', schema: WebhookEndpoint } },
      errors: ['endpoint_not_found', 'endpoint_of_agent', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(webhookEndpointView(await removeEndpoint(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'POST',
    path: '/events/endpoints/{id}/secret',
    ...ofOne,
    docs: {
      id: 'rotateEndpointSecret',
      summary: 'Rotate a webhook endpoint’s secret',
      description: `The new secret is shown only in this answer. For ${span(OVERLAP_MS, 'hour')} the previous secret also signs; rotating again ends that at once. With an agent’s id, it rotates the secret of the agent’s webhook, or makes the first one.`,
      answers: { 200: { description: 'The new secret.', schema: RotatedSecret } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) => {
      const rotated = await rotateEndpointSecret(deps, session.wallet, params.id)
      return json(answer(RotatedSecret, { id: params.id, ...rotated }))
    },
  }),
]
