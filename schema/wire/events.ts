import * as v from 'valibot'
import { AGENT_ID, EVENT_ID } from '../examples.ts'
import { deliveryFailures, deliveryStates, eventTypes } from '../values.ts'
import { describe, describeParameters } from '../words.ts'
import { Cursor, PageLimit, Timestamp, Uuid, WireUuid } from './common.ts'

/** Query of GET /events. */
export const EventListQuery = v.object({ after: v.optional(Uuid), limit: PageLimit })

if (WORDS)
  describeParameters(EventListQuery, {
    after: 'The id of one of your events; the page begins after it.',
    limit: 'Events a page; above 100 it is 100.',
  })

/** Query of GET /events/deliveries. */
export const DeliveryListQuery = v.object({
  status: v.optional(v.picklist(deliveryStates)),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

if (WORDS)
  describeParameters(DeliveryListQuery, {
    status: 'Only those in this state.',
    limit: 'Deliveries a page; above 100 it is 100.',
    cursor: '`nextCursor` of the page before.',
  })

export const EventPath = v.object({ id: Uuid })

if (WORDS) describeParameters(EventPath, { id: 'The event.' })

export const EventKeys = v.strictObject({ keys: v.array(v.string()) })

if (WORDS)
  describe(EventKeys, {
    name: 'EventKeys',
    description: 'Public keys of webhook signatures.',
    fields: { keys: 'Each `whpk_` and the Base64 of 32 bytes, newest first.' },
    example: { keys: ['whpk_JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE='] },
  })

export const Delivery = v.strictObject({
  eventId: WireUuid,
  type: v.picklist(eventTypes),
  agentId: WireUuid,
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
  agentId: AGENT_ID,
  status: 'pending',
  attempts: 2,
  createdAt: '2026-11-20T09:05:00.000Z',
  lastAttemptAt: '2026-11-20T09:05:05.412Z',
  lastResponseCode: 503,
  nextAttemptAt: '2026-11-20T09:10:09.871Z',
}

if (WORDS)
  describe(Delivery, {
    name: 'Delivery',
    description: 'What became of sending an event to its agent’s webhook.',
    fields: {
      eventId: 'The event.',
      type: 'Its type.',
      agentId: 'The agent.',
      status:
        'pending, delivered (a 2xx), failed (given up after the last attempt), or held: the webhook is disabled by a 410 or removed, and setting webhookUrl sends it.',
      attempts: 'Attempts made, since the last replay.',
      createdAt: 'When it was queued.',
      lastAttemptAt: 'When the last attempt began.',
      lastResponseCode: 'The status code of the last answer.',
      lastFailure: 'Why there was no answer.',
      nextAttemptAt: 'When the next attempt is due; during an attempt, when that attempt counts as lost.',
    },
    example: deliveryExample,
  })

export const DeliveryList = v.strictObject({
  deliveries: v.array(Delivery),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})
if (WORDS)
  describe(DeliveryList, {
    name: 'DeliveryList',
    description: 'One page of deliveries.',
    fields: {
      deliveries: 'Newest events first.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { deliveries: [deliveryExample], count: 1 },
  })
