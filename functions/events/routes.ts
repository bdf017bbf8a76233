import { DELIVERY_RETENTION_MS } from '../../lib/events/deletion.ts'
import { listEvents } from '../../lib/events/list.ts'
import { listDeliveries } from '../../lib/events/list-deliveries.ts'
import { replay } from '../../lib/events/replay.ts'
import {
  deliveryRow,
  deliveryView,
  eventKeySetView,
  eventKeysView,
  eventListText,
} from '../../lib/events/views.ts'
import { json, jsonText } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { span } from '../../schema/figures.ts'
import { EventList, exampleOf } from '../../schema/wire/event.ts'
import {
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  deliveryExample,
  EventKeySet,
  EventKeys,
  EventListQuery,
  EventPath,
  ReplayRequest,
} from '../../schema/wire/events.ts'
import type { Deps } from './deps.ts'
import { sendingRoutes } from './sending-routes.ts'
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts'

const operation = operationFor<Cloudflare.EventsEnv, Deps>()

export const routes = [
  ...webhookEndpointRoutes,
  ...sendingRoutes,
  operation({
    method: 'GET',
    path: '/events',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: EventListQuery,
    docs: {
      id: 'listEvents',
      summary: 'Read your events',
      description:
        'The events of your agents, hires, positions and attestations, oldest first, with the same ids as in webhooks. To continue, set `after` to the last id that you read: no event is ever inserted before it. Events about money (charges, budgets, the vault) are kept forever, others for a year. Read at least once a year to miss none.',
      answers: {
        200: {
          description: 'One page.',
          schema: EventList,
          links: { replayEvent: { id: '#/events/0/id' } },
          example: {
            events: [exampleOf('hire.created'), exampleOf('vault.position_opened')],
            count: 2,
            hasMore: false,
          },
          headers: { Link: 'The next page, if there is one.' },
        },
      },
      errors: ['cursor_lost', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listEvents(deps, session.wallet, query)
      const last = page.hasMore && query.sort === 'oldest' ? page.events.at(-1)?.id : undefined
      return jsonText(eventListText(page), 200, nextPageLink(url, last, 'after'))
    },
  }),
  operation({
    method: 'GET',
    path: '/events/keys',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'listEventKeys',
      summary: 'Public keys of webhook signatures',
      description:
        'Ed25519 keys in the format of Standard Webhooks, newest first. During a rotation there are two keys, and each webhook has a signature of each. Accept a webhook if one signature is valid for one of these keys.',
      answers: {
        200: {
          description: 'The keys.',
          schema: EventKeys,
        },
      },
      errors: [],
    },
    handle: ({ deps }) => json(eventKeysView(deps.publicKeys())),
  }),
  operation({
    method: 'GET',
    path: '/events/keys.jwks.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getEventKeySet',
      summary: 'The same keys as a JSON Web Key Set',
      description: 'The keys of GET /events/keys (RFC 7517), for libraries that read key sets.',
      answers: { 200: { description: 'The keys.', schema: EventKeySet } },
      errors: [],
    },
    handle: ({ deps }) => json(eventKeySetView(deps.publicKeys())),
  }),
  operation({
    method: 'GET',
    path: '/events/deliveries',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: DeliveryListQuery,
    docs: {
      id: 'listDeliveries',
      summary: 'List webhook deliveries',
      description: [
        `Deliveries to your webhook endpoints, newest events first, for ${span(DELIVERY_RETENTION_MS, 'day')}.`,
        'Of an endpoint’s answer only the status code is stored. With `status` held or pending, a page scans at most 2,000 deliveries. It can therefore have fewer than `limit`, even none, and still a `nextCursor`.',
      ].join(' '),
      answers: {
        200: {
          description: 'One page.',
          schema: DeliveryList,
          links: {
            replayEvent: { id: '#/deliveries/0/eventId' },
          },
          headers: { Link: 'The next page, if there is one.' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listDeliveries(deps, session.wallet, query)
      return pageAnswer(DeliveryList, 'deliveries', page.deliveries.map(deliveryRow), { url, ...page })
    },
  }),
  operation({
    method: 'POST',
    path: '/events/{id}/replay',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    params: EventPath,
    body: ReplayRequest,
    bodyOptional: true,
    docs: {
      id: 'replayEvent',
      summary: 'Replay an event',
      description:
        'Queues an event again for the given webhook endpoint, or for your agent’s webhook, with the same id and the full retry schedule. The earlier outcome and the endpoint’s filters do not matter.',
      answers: {
        202: {
          description: 'The queued delivery.',
          schema: Delivery,
          example: { ...deliveryExample, attempts: 0, nextAttemptAt: '2026-11-21T07:00:00.000Z' },
        },
      },
      errors: [
        'event_not_found',
        'webhook_missing',
        'webhook_disabled',
        'webhook_unconfirmed',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, params, body }) =>
      json(deliveryView(await replay(deps, session.wallet, { id: params.id, ...body })), 202),
  }),
]
