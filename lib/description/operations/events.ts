import type { EventType } from '../../../schema/values.ts'
import { Delivery, DeliveryList, Event, EventKeys, EventList, Events } from '../../../schema/wire/events.ts'
import { delivery, eventDocs, eventExample } from '../events.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Events' as const
const types = Object.keys(Events) as EventType[]

export const operations: Operations = {
  'GET /events': {
    id: 'listEvents',
    tag,
    summary: 'Read your events',
    description:
      'What has happened to your agents, hires, positions and attestations, oldest first, with the same ids as the webhooks. Go on with `after` set to the last id that you have: none is ever added before a place that you have read. Events are kept.',
    parameters: {
      after: { description: 'The id of one of your events; the page begins behind it.' },
      limit: { description: 'Events a page; above 100 it is 100.' },
    },
    responses: {
      200: {
        description: 'One page.',
        schema: 'EventList',
        example: {
          events: [eventExample('hire.created'), eventExample('vault.position_opened')],
          count: 2,
          hasMore: false,
        },
        headers: { Link: 'The next page, if there is more.' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'GET /events/keys': {
    id: 'listEventKeys',
    tag,
    summary: 'Public keys of webhook signatures',
    description:
      'Ed25519 keys as Standard Webhooks writes them, newest first. During a rotation there are two, and each webhook has a signature by each. Accept a webhook if one signature is valid under one of these keys.',
    responses: {
      200: {
        description: 'The keys.',
        schema: 'EventKeys',
        example: { keys: ['whpk_JgFmBBHZ8nVy0DZ0a6yuKwRZSqfxjIGn3rWJ5VJDzuE='] },
      },
    },
    errors: [],
  },
  'GET /events/deliveries': {
    id: 'listDeliveries',
    tag,
    summary: 'What became of webhooks',
    description:
      'Deliveries to the webhooks of your agents, newest events first, for 30 days. Of an endpoint’s answer only the status code is kept.',
    parameters: {
      status: { description: 'Only those in this state.' },
      limit: { description: 'Deliveries a page; above 100 it is 100.' },
      cursor: { description: '`nextCursor` of the page before.' },
    },
    responses: {
      200: {
        description: 'One page.',
        schema: 'DeliveryList',
        example: { deliveries: [delivery], count: 1 },
        headers: { Link: 'The next page, if there is one.' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /events/{id}/replay': {
    id: 'replayEvent',
    tag,
    summary: 'Send an event once more',
    description:
      'Puts an event in line for your agent’s webhook, with the same id and the whole retry schedule before it, whatever became of it before.',
    parameters: { id: { description: 'The event.' } },
    responses: {
      202: {
        description: 'It is in line.',
        schema: 'Delivery',
        example: { ...delivery, attempts: 0, nextAttemptAt: '2026-11-21T07:00:00.000Z' },
      },
    },
    errors: ['event_not_found', 'webhook_missing', 'webhook_disabled', 'dependency_unavailable'],
  },
}

/** The component's name of an event's schema: `hire.created` is HireCreatedEvent. */
export const eventComponent = (type: EventType): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`

export const components: Components = {
  ...Object.fromEntries(
    types.map((type) => [
      eventComponent(type),
      {
        schema: Events[type],
        description: eventDocs[type].meaning,
        fields: {
          id: 'The same in the log, in every attempt and in a replay: deduplicate by it.',
          type: 'What has happened.',
          timestamp: 'When it happened.',
          data: 'The facts.',
        },
      },
    ]),
  ),
  Event: { schema: Event, description: 'An event, by its type.', fields: {} },
  EventList: {
    schema: EventList,
    description: 'One page of your events.',
    fields: {
      events: 'Oldest first.',
      count: 'Number of them in this page.',
      hasMore: 'Whether more have happened since.',
    },
  },
  EventKeys: {
    schema: EventKeys,
    description: 'Public keys of webhook signatures.',
    fields: { keys: 'Each `whpk_` and the Base64 of 32 bytes, newest first.' },
  },
  Delivery: {
    schema: Delivery,
    description: 'What became of sending an event to its agent’s webhook.',
    fields: {
      eventId: 'The event.',
      type: 'Its type.',
      agentId: 'The agent.',
      status:
        'pending, delivered (a 2xx), failed (given up after the last attempt), or held: the webhook is disabled by a 410 or removed, and setting webhookUrl sends it.',
      attempts: 'Attempts made, since the last replay.',
      createdAt: 'When it was put in line.',
      lastAttemptAt: 'When the last attempt began.',
      lastResponseCode: 'The status code of the last answer.',
      lastFailure: 'Why there was none.',
      nextAttemptAt: 'When it is due again; during an attempt, when that is taken to be lost.',
    },
  },
  DeliveryList: {
    schema: DeliveryList,
    description: 'One page of deliveries.',
    fields: {
      deliveries: 'Newest events first.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
  },
}
