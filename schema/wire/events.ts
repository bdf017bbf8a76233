import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { AGENT_ID, EVENT_ID, WEBHOOK_ENDPOINT_ID } from '../examples.ts'
import { deliveryFailures, deliveryStates } from '../values.ts'
import { OwnText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import { Count, PageLimit, Timestamp, Uuid, WireUuid } from './common.ts'
import { eventTypes } from './event-types/table.ts'
import { Ed25519Keys } from './key-set.ts'

/** Query of GET /events. */
export const EventListQuery = parameters({
  after: [v.optional(Uuid), 'The id of one of your events; the page begins after it.'],
  sort: [
    v.optional(v.picklist(['oldest', 'newest']), 'oldest'),
    '`newest`: the end of the log, newest first.',
  ],
  limit: [PageLimit, 'Page size; values above 100 count as 100.'],
})

/** Query of GET /events/deliveries. */
export const DeliveryListQuery = parameters({
  endpointId: [v.optional(Uuid), 'Only deliveries to this webhook endpoint.'],
  eventId: [v.optional(Uuid), 'Only deliveries of this event.'],
  status: [v.optional(v.picklist(deliveryStates)), 'Only deliveries with this status.'],
  ...pageFields,
})

export const EventPath = parameters({ id: [Uuid, 'The event.'] }, { id: EVENT_ID })

/** Body of POST /events/{id}/replay. */
export const ReplayRequest = body(
  'ReplayRequest',
  'Where to send the event again.',
  {
    endpointId: [
      v.optional(Uuid),
      'One of your webhook endpoints. The default is the webhook of your agent that the event is about.',
    ],
  },
  { endpointId: WEBHOOK_ENDPOINT_ID },
)

export const EventKeys = body(
  'EventKeys',
  'Public keys of webhook signatures.',
  { keys: [v.array(OwnText), 'Each `whpk_` and the Base64 of 32 bytes, newest first.'] },
  { keys: ['whpk_JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE='] },
)

/** The public keys as a JSON Web Key Set. */
export const EventKeySet = body(
  'EventKeySet',
  'Public keys of webhook signatures (RFC 7517, RFC 8037).',
  { keys: [Ed25519Keys, 'Newest first; `kid` is the key as in GET /events/keys.'] },
  {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: 'JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE',
        kid: 'whpk_JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE=',
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  },
)

export const Delivery = body(
  'Delivery',
  'The delivery of an event to a webhook endpoint.',
  {
    eventId: [WireUuid, 'The event.'],
    type: [v.picklist(eventTypes), 'Its type.'],
    endpointId: [WireUuid, 'The webhook endpoint; for an agent’s webhook, the agent’s id.'],
    agentId: [v.optional(WireUuid), 'The agent that the event is about, if any.'],
    status: [
      v.picklist(deliveryStates),
      'pending, delivered (answered with 2xx), failed (after the last attempt, or because the endpoint was deleted), or held. A held delivery is sent when the disabled endpoint is enabled or the removed webhook set again.',
    ],
    attempts: [Count, 'Number of attempts since the last replay.'],
    createdAt: [Timestamp, 'When it was queued.'],
    lastAttemptAt: [v.optional(Timestamp), 'When the last finished attempt began.'],
    lastResponseCode: [v.optional(v.pipe(v.number(), v.integer())), 'The status code of the last answer.'],
    lastFailure: [v.optional(v.picklist(deliveryFailures)), 'Why there was no answer.'],
    nextAttemptAt: [
      v.optional(Timestamp),
      'When the next attempt is due. During an attempt: when it counts as lost.',
    ],
  },
  {
    eventId: EVENT_ID,
    type: 'hire.created',
    endpointId: WEBHOOK_ENDPOINT_ID,
    agentId: AGENT_ID,
    status: 'pending',
    attempts: 2,
    createdAt: '2026-11-20T09:05:00.000Z',
    lastAttemptAt: '2026-11-20T09:05:05.412Z',
    lastResponseCode: 503,
    nextAttemptAt: '2026-11-20T09:10:09.871Z',
  },
)

export const deliveryExample = exampleOf(Delivery)

export const DeliveryList = pageOf(['DeliveryList', 'deliveries', 'One page of deliveries.'], Delivery, [
  'Newest events first.',
  'deliveries',
])
