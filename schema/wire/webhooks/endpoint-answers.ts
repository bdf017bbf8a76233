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
import { Timestamp, WireUuid } from '../common.ts'
import { eventTypes } from '../event-types/table.ts'

const endpointEntries = {
  id: WireUuid,
  kind: v.picklist(webhookEndpointKinds),
  url: v.string(),
  description: v.optional(v.string()),
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
export const NewWebhookEndpoint = v.strictObject({ ...endpointEntries, secret: v.string() })

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
  id: 'The webhook endpoint; of an agent’s webhook the agent’s id.',
  kind: '`wallet`: made here. `agent`: the webhookUrl of an agent, which PATCH /agents/{id} changes.',
  url: 'Where events are sent.',
  description: 'What its owner calls it.',
  eventTypes: 'The types that it listens to; empty for all.',
  agentIds: 'The agents that it listens to; empty for all that its owner’s log has.',
  enabled: 'Whether anything is sent to it.',
  disabledAt: 'Since when nothing is.',
  disabledReason:
    'paused by its owner, gone (410), failing (nothing with 2xx for five days), or full (more than 10,000 deliveries waited).',
  createdAt: 'When it was made.',
  proof:
    '`new`: its receiver has not answered the first request, `endpoint.verification`, with 2xx yet. `unconfirmed`: it has, but without the SHA-256 of the challenge as its body: it is sent 30 events, and then four an hour, until you confirm it. `proven`: it is sent everything.',
  unconfirmedReason:
    'What an unconfirmed receiver answered in place of the SHA-256: `empty_body`, `challenge_returned` (the challenge as it was sent), or `other_body`.',
  provenAt: 'When its receiver proved that it wants your events.',
  failingSince: 'When its URL failed first after its last 2xx; absent while it does not fail.',
  lastAttemptAt: 'When its URL was last tried, to the hour while all goes well.',
})

if (WORDS) {
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
}

export const WebhookEndpointList = v.strictObject({
  endpoints: v.array(WebhookEndpoint),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

if (WORDS)
  describe(WebhookEndpointList, {
    name: 'EndpointList',
    description: 'One page of webhook endpoints.',
    fields: {
      endpoints: 'The newest first.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { endpoints: [endpointExample], count: 1 },
  })

export const RotatedSecret = v.strictObject({
  id: WireUuid,
  secret: v.string(),
  previousSecretEndsAt: Timestamp,
})

if (WORDS)
  describe(RotatedSecret, {
    name: 'RotatedSecret',
    description: 'A webhook endpoint’s new secret.',
    fields: {
      id: 'The endpoint, or the agent whose webhook it is.',
      secret: 'It is never shown again.',
      previousSecretEndsAt:
        'Until then the secret before signs, too. Of an agent’s first secret it is the time of the request.',
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

if (WORDS)
  describe(Recovery, {
    name: 'Recovery',
    description: 'What is sent again.',
    fields: {
      recovered: 'So many deliveries, at most 1,000.',
      hasMore: 'Whether there may be more: ask again.',
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

if (WORDS)
  describe(Attempt, {
    name: 'Attempt',
    description: 'One attempt to send an event to a webhook endpoint.',
    fields: {
      eventId: 'The event.',
      type: 'Its type.',
      attemptedAt: 'When it began.',
      responseCode: 'The status code of the answer, of which nothing else is kept.',
      failure: 'Why there was no answer.',
      durationMs: 'How long the answer took, or the wait for it.',
    },
    example: attemptExample,
  })

export const AttemptList = v.strictObject({
  attempts: v.array(Attempt),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

if (WORDS)
  describe(AttemptList, {
    name: 'AttemptList',
    description: 'One page of attempts.',
    fields: {
      attempts: 'The newest first.',
      count: 'Number of them in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
    example: { attempts: [attemptExample], count: 1 },
  })
