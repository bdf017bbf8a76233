import { answer } from '../../lib/answer.ts'
import { DELIVERY_RETENTION_MS } from '../../lib/events/deletion.ts'
import { listAttempts } from '../../lib/events/endpoints/list-attempts.ts'
import { MAX_RECOVERED, recoverDeliveries } from '../../lib/events/endpoints/recover.ts'
import { sendTest } from '../../lib/events/endpoints/send-test.ts'
import { deliveryView } from '../../lib/events/views.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { TEST_INTERVAL_MS } from '../../lib/quotas/rules.ts'
import { figure, span } from '../../schema/figures.ts'
import { Delivery, deliveryExample } from '../../schema/wire/events.ts'
import { AttemptList, AttemptListQuery, RecoverRequest, Recovery } from '../../schema/wire/webhooks.ts'
import type { Deps } from './deps.ts'
import { ofOne } from './webhook-endpoint-routes.ts'

const operation = operationFor<Cloudflare.EventsEnv, Deps>()

/** Deliveries to a webhook endpoint on its owner's request, and the list of attempts at it. */
export const sendingRoutes = [
  operation({
    method: 'POST',
    path: '/events/endpoints/{id}/test',
    ...ofOne,
    docs: {
      id: 'testEndpoint',
      summary: 'Send a webhook endpoint a test event',
      description: [
        'Sends `endpoint.test` to this endpoint only, regardless of its filters.',
        'A receiver that failed its confirmation request is asked again at once, unless it asked for a pause.',
        `A wallet may send one every ${span(TEST_INTERVAL_MS, 'second')}.`,
        'For a client address, a test counts against the limit of new webhook endpoints.',
      ].join(' '),
      answers: {
        202: {
          description: 'The queued delivery.',
          schema: Delivery,
          example: {
            ...deliveryExample,
            type: 'endpoint.test',
            agentId: undefined,
            attempts: 0,
            lastAttemptAt: undefined,
            lastResponseCode: undefined,
          },
        },
      },
      errors: ['endpoint_not_found', 'webhook_disabled', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, headers }) =>
      json(deliveryView(await sendTest(deps, session.wallet, params.id, clientAddress(headers))), 202),
  }),
  operation({
    method: 'POST',
    path: '/events/endpoints/{id}/recover',
    ...ofOne,
    body: RecoverRequest,
    docs: {
      id: 'recoverEndpoint',
      summary: 'Resend failed deliveries',
      description: `Queues the endpoint’s failed deliveries since a time again, with the full retry schedule: up to ${figure(MAX_RECOVERED)}, oldest first.`,
      answers: { 202: { description: 'How many are queued.', schema: Recovery } },
      errors: ['endpoint_not_found', 'webhook_disabled', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(answer(Recovery, await recoverDeliveries(deps, session.wallet, { id: params.id, ...body })), 202),
  }),
  operation({
    method: 'GET',
    path: '/events/endpoints/{id}/attempts',
    ...ofOne,
    query: AttemptListQuery,
    docs: {
      id: 'listAttempts',
      summary: 'List a webhook endpoint’s delivery attempts',
      description: `The attempts of the last ${span(DELIVERY_RETENTION_MS, 'day')} and their answers, newest first.`,
      answers: {
        200: {
          description: 'One page.',
          schema: AttemptList,
          headers: { Link: 'The next page, if there is one.' },
        },
      },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, query, url }) => {
      const page = await listAttempts(deps, session.wallet, { id: params.id, ...query })
      return pageAnswer(AttemptList, 'attempts', page.attempts, { url, ...page })
    },
  }),
]
