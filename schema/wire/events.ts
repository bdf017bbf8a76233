import * as v from 'valibot'
import { describe, describeParameters } from '../docs.ts'
import { AGENT_ID, EVENT_ID, WEBHOOK_ENDPOINT_ID } from '../examples.ts'
import { deliveryFailures, deliveryStates } from '../values.ts'
import { OwnText } from './answer-text.ts'
import { Cursor, PageLimit, Timestamp, Uuid, WireUuid } from './common.ts'
import { eventTypes } from './event-types/table.ts'
import { Ed25519Keys } from './key-set.ts'

/** Query of GET /events. */
export const EventListQuery = v.object({
  after: v.optional(Uuid),
  sort: v.optional(v.picklist(['oldest', 'newest']), 'oldest'),
  limit: PageLimit,
})

describeParameters(EventListQuery, {
  after: 'The id of one of your events; the page begins after it.',
  sort: '`newest`: the end of the log, newest first.',
  limit: 'Page size; values above 100 count as 100.',
})

/** Query of GET /events/deliveries. */
export const DeliveryListQuery = v.object({
  endpointId: v.optional(Uuid),
  status: v.optional(v.picklist(deliveryStates)),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(DeliveryListQuery, {
  endpointId: 'Only deliveries to this webhook endpoint.',
  status: 'Only deliveries with this status.',
  limit: 'Page size; values above 100 count as 100.',
  cursor: 'The `nextCursor` of the previous page.',
})

export const EventPath = v.object({ id: Uuid })

describeParameters(EventPath, { id: 'The event.' }, { id: EVENT_ID })

/** Body of POST /events/{id}/replay. */
export const ReplayRequest = v.strictObject({ endpointId: v.optional(Uuid) })

describe(ReplayRequest, {
  name: 'ReplayRequest',
  description: 'Where to send the event again.',
  fields: {
    endpointId:
      'One of your webhook endpoints. The default is the webhook of your agent that the event is about.',
  },
  example: { endpointId: WEBHOOK_ENDPOINT_ID },
})

export const EventKeys = v.strictObject({ keys: v.array(OwnText) })

describe(EventKeys, {
  name: 'EventKeys',
  description: 'Public keys of webhook signatures.',
  fields: { keys: 'Each `whpk_` and the Base64 of 32 bytes, newest first.' },
  example: { keys: ['whpk_JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE='] },
})

/** The public keys as a JSON Web Key Set. */
export const EventKeySet = v.strictObject({ keys: Ed25519Keys })

describe(EventKeySet, {
  name: 'EventKeySet',
  description: 'Public keys of webhook signatures (RFC 7517, RFC 8037).',
  fields: { keys: 'Newest first; `kid` is the key as in GET /events/keys.' },
  example: {
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
})

export const Delivery = v.strictObject({
  eventId: WireUuid,
  type: v.picklist(eventTypes),
  endpointId: WireUuid,
  agentId: v.optional(WireUuid),
  status: v.picklist(deliveryStates),
  attempts: v.pipe(v.number(), v.integer(), v.minValue(0)),
  createdAt: Timestamp,
  lastAttemptAt: v.optional(Timestamp),
  lastResponseCode: v.optional(v.pipe(v.number(), v.integer())),
  lastFailure: v.optional(v.picklist(deliveryFailures)),
  nextAttemptAt: v.optional(Timestamp),
})

export const deliveryExample: v.InferInput<typeof Delivery> = {
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
}

describe(Delivery, {
  name: 'Delivery',
  description: 'The delivery of an event to a webhook endpoint.',
  fields: {
    eventId: 'The event.',
    type: 'Its type.',
    endpointId: 'The webhook endpoint; for an agent’s webhook, the agent’s id.',
    agentId: 'The agent that the event is about, if any.',
    status:
      'pending, delivered (answered with 2xx), failed (after the last attempt, or because the endpoint was deleted), or held. A held delivery is sent when the disabled endpoint is enabled or the removed webhook set again.',
    attempts: 'Number of attempts since the last replay.',
    createdAt: 'When it was queued.',
    lastAttemptAt: 'When the last finished attempt began.',
    lastResponseCode: 'The status code of the last answer.',
    lastFailure: 'Why there was no answer.',
    nextAttemptAt: 'When the next attempt is due. During an attempt: when it counts as lost.',
  },
  example: deliveryExample,
})

export const DeliveryList = v.strictObject({
  deliveries: v.array(Delivery),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})
describe(DeliveryList, {
  name: 'DeliveryList',
  description: 'One page of deliveries.',
  fields: {
    deliveries: 'Newest events first.',
    count: 'Number of deliveries on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { deliveries: [deliveryExample], count: 1 },
})
