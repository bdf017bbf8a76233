import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { EVENT_ID, WEBHOOK_ENDPOINT_ID, WEBHOOK_SECRET } from '../../examples.ts'
import {
  deliveryFailures,
  disabledReasons,
  unconfirmedReasons,
  webhookEndpointKinds,
  webhookProofs,
} from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireUuid } from '../common.ts'
import { eventTypes } from '../event-types/table.ts'

const endpointEntries = {
  id: WireUuid,
  kind: v.picklist(webhookEndpointKinds),
  url: UserText,
  description: v.optional(UserText),
  eventTypes: v.array(v.picklist(eventTypes)),
  agentIds: v.array(WireUuid),
  enabled: v.boolean(),
  disabledAt: v.optional(Timestamp),
  disabledReason: v.optional(v.picklist(disabledReasons)),
  createdAt: Timestamp,
  proof: v.picklist(webhookProofs),
  unconfirmedReason: v.optional(v.picklist(unconfirmedReasons)),
  provenAt: v.optional(Timestamp),
  failingSince: v.optional(Timestamp),
  lastAttemptAt: v.optional(Timestamp),
}

export const WebhookEndpoint = v.strictObject(endpointEntries)

/** An endpoint with its secret. Only the answer to its creation has it. */
export const NewWebhookEndpoint = v.strictObject({ ...endpointEntries, secret: OwnText })

const endpointExample: v.InferInput<typeof WebhookEndpoint> = {
  id: WEBHOOK_ENDPOINT_ID,
  kind: 'wallet',
  url: 'https://example.com/hooks/agentcred',
  eventTypes: ['hire.created', 'hire.terminated'],
  agentIds: [],
  enabled: true,
  createdAt: '2026-11-20T09:00:00.000Z',
  proof: 'proven',
  provenAt: '2026-11-20T09:05:00.412Z',
  lastAttemptAt: '2026-11-20T09:05:00.000Z',
}

const endpointFields = () => ({
  id: 'The webhook endpoint; for an agent’s webhook, the agent’s id.',
  kind: '`wallet`: created with POST /events/endpoints. `agent`: the webhookUrl of an agent; change it with PATCH /agents/{id}.',
  url: 'Where events are sent.',
  description: 'Its owner’s name for it.',
  eventTypes: 'The event types that it receives; empty for all.',
  agentIds: 'The agents whose events it receives; empty for all in its owner’s log.',
  enabled: 'Whether events are sent to it.',
  disabledAt: 'When it was disabled.',
  disabledReason:
    'paused by its owner, gone (it answered 410), failing (no 2xx for five days), or full (more than 10,000 waiting deliveries).',
  createdAt: 'When it was made.',
  proof:
    '`new`: its receiver has not yet answered the first request, `endpoint.verification`, with 2xx. `unconfirmed`: it answered 2xx, but the body was not the SHA-256 of the challenge. It receives 30 events, and then four an hour, until you confirm it. `proven`: it receives all events.',
  unconfirmedReason:
    'What an unconfirmed receiver answered instead of the SHA-256: `empty_body`, `challenge_returned` (the challenge itself), or `other_body`.',
  provenAt: 'When its receiver proved that it wants your events.',
  failingSince: 'When its URL first failed since its last 2xx; absent while it does not fail.',
  lastAttemptAt: 'When its URL was last tried; rounded to the hour while it succeeds.',
})

describe(WebhookEndpoint, {
  name: 'Endpoint',
  description: 'Where a wallet’s events are sent.',
  fields: endpointFields(),
  example: endpointExample,
})
describe(NewWebhookEndpoint, {
  name: 'CreatedEndpoint',
  description: 'A new webhook endpoint and its secret.',
  fields: { ...endpointFields(), secret: 'Its secret, `whsec_` and Base64. It is never shown again.' },
  example: { ...endpointExample, secret: WEBHOOK_SECRET },
})

export const WebhookEndpointList = v.strictObject({
  endpoints: v.array(WebhookEndpoint),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(WebhookEndpointList, {
  name: 'EndpointList',
  description: 'One page of webhook endpoints.',
  fields: {
    endpoints: 'Newest first.',
    count: 'Number of items on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { endpoints: [endpointExample], count: 1 },
})

export const RotatedSecret = v.strictObject({
  id: WireUuid,
  secret: OwnText,
  previousSecretEndsAt: Timestamp,
})

describe(RotatedSecret, {
  name: 'RotatedSecret',
  description: 'A webhook endpoint’s new secret.',
  fields: {
    id: 'The endpoint, or the agent whose webhook it is.',
    secret: 'It is never shown again.',
    previousSecretEndsAt:
      'The previous secret also signs until then. For an agent’s first secret, the time of the request.',
  },
  example: {
    id: WEBHOOK_ENDPOINT_ID,
    secret: WEBHOOK_SECRET,
    previousSecretEndsAt: '2026-11-21T09:00:00.000Z',
  },
})

export const Recovery = v.strictObject({
  recovered: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hasMore: v.boolean(),
})

describe(Recovery, {
  name: 'Recovery',
  description: 'The deliveries that are sent again.',
  fields: {
    recovered: 'Number of queued deliveries, at most 1,000.',
    hasMore: 'Whether there may be more. If so, repeat the request.',
  },
  example: { recovered: 12, hasMore: false },
})

const Attempt = v.strictObject({
  eventId: WireUuid,
  type: v.picklist(eventTypes),
  attemptedAt: Timestamp,
  responseCode: v.optional(v.pipe(v.number(), v.integer())),
  failure: v.optional(v.picklist(deliveryFailures)),
  durationMs: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

const attemptExample: v.InferInput<typeof Attempt> = {
  eventId: EVENT_ID,
  type: 'hire.created',
  attemptedAt: '2026-11-20T09:05:00.000Z',
  responseCode: 503,
  durationMs: 412,
}

describe(Attempt, {
  name: 'Attempt',
  description: 'One attempt to send an event to a webhook endpoint.',
  fields: {
    eventId: 'The event.',
    type: 'Its type.',
    attemptedAt: 'When it began.',
    responseCode: 'The status code of the answer. Nothing else of the answer is stored.',
    failure: 'Why there was no answer.',
    durationMs: 'How long the answer took, or the wait for it.',
  },
  example: attemptExample,
})

export const AttemptList = v.strictObject({
  attempts: v.array(Attempt),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(OwnText),
})

describe(AttemptList, {
  name: 'AttemptList',
  description: 'One page of attempts.',
  fields: {
    attempts: 'Newest first.',
    count: 'Number of items on this page.',
    nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
  },
  example: { attempts: [attemptExample], count: 1 },
})
