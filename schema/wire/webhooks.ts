import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { CHALLENGE, EVENT_ID, WEBHOOK_ENDPOINT_ID, WEBHOOK_SECRET } from '../examples.ts'
import {
  deliveryFailures,
  disabledReasons,
  unconfirmedReasons,
  webhookEndpointKinds,
  webhookProofs,
} from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageFields, pageOf, parameters } from './body.ts'
import { Count, Timestamp, Uuid, WireUuid } from './common.ts'
import { eventTypes } from './event-types/table.ts'
import { Instant } from './instant.ts'
import { Name } from './text.ts'
import { WebhookUrl } from './webhook-destination.ts'

/** Body of POST /events/endpoints/{id}/confirm, and of an agent's webhook. */
export const ConfirmRequest = body(
  'ConfirmRequest',
  'The challenge that a receiver was sent.',
  {
    challenge: [
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in Base64url')),
      '`data.challenge` of the `endpoint.verification` that the URL received.',
    ],
  },
  { challenge: CHALLENGE },
)

const endpointFields = {
  id: [WireUuid, 'The webhook endpoint; for an agent’s webhook, the agent’s id.'],
  kind: [
    v.picklist(webhookEndpointKinds),
    '`wallet`: created with POST /events/endpoints. `agent`: the webhookUrl of an agent; change it with PATCH /agents/{id}.',
  ],
  url: [UserText, 'Where events are sent.'],
  description: [v.optional(UserText), 'Its owner’s name for it.'],
  eventTypes: [v.array(v.picklist(eventTypes)), 'The event types that it receives; empty for all.'],
  agentIds: [v.array(WireUuid), 'The agents whose events it receives; empty for all in its owner’s log.'],
  enabled: [v.boolean(), 'Whether events are sent to it.'],
  disabledAt: [v.optional(Timestamp), 'When it was disabled.'],
  disabledReason: [
    v.optional(v.picklist(disabledReasons)),
    'paused by its owner, gone (it answered 410), failing (no 2xx for five days), or full (more than 10,000 waiting deliveries).',
  ],
  createdAt: [Timestamp, 'When it was made.'],
  proof: [
    v.picklist(webhookProofs),
    '`new`: its receiver has not yet answered the first request, `endpoint.verification`, with 2xx. `unconfirmed`: it answered 2xx, but the body was not the SHA-256 of the challenge. It receives 30 events, and then four an hour, until you confirm it. `proven`: it receives all events.',
  ],
  unconfirmedReason: [
    v.optional(v.picklist(unconfirmedReasons)),
    'What an unconfirmed receiver answered instead of the SHA-256: `empty_body`, `challenge_returned` (the challenge itself), or `other_body`.',
  ],
  provenAt: [v.optional(Timestamp), 'When its receiver proved that it wants your events.'],
  failingSince: [
    v.optional(Timestamp),
    'When its URL first failed since its last 2xx; absent while it does not fail.',
  ],
  lastAttemptAt: [
    v.optional(Timestamp),
    'When its URL was last tried; rounded to the hour while it succeeds.',
  ],
  pausedUntil: [
    v.optional(Timestamp),
    'Nothing is sent to its URL before this: after a failure, when it asked for a pause, or at a limit. A time in the past has no effect.',
  ],
} as const

export const WebhookEndpoint = body('Endpoint', 'Where a wallet’s events are sent.', endpointFields, {
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
})

const endpointExample = exampleOf(WebhookEndpoint)

/** An endpoint with its secret. Only the answer to its creation has it. */
export const NewWebhookEndpoint = body(
  'CreatedEndpoint',
  'A new webhook endpoint and its secret.',
  { ...endpointFields, secret: [OwnText, 'Its secret, `whsec_` and Base64. It is never shown again.'] },
  { ...endpointExample, secret: WEBHOOK_SECRET },
)

export const WebhookEndpointList = pageOf(
  ['EndpointList', 'endpoints', 'One page of webhook endpoints.'],
  WebhookEndpoint,
  ['Newest first.', 'items'],
)

export const RotatedSecret = body(
  'RotatedSecret',
  'A webhook endpoint’s new secret.',
  {
    id: [WireUuid, 'The endpoint, or the agent whose webhook it is.'],
    secret: [OwnText, 'It is never shown again.'],
    previousSecretEndsAt: [
      Timestamp,
      'The previous secret also signs until then. For an agent’s first secret, the time of the request.',
    ],
  },
  {
    id: WEBHOOK_ENDPOINT_ID,
    secret: WEBHOOK_SECRET,
    previousSecretEndsAt: '2026-11-21T09:00:00.000Z',
  },
)

export const Recovery = body(
  'Recovery',
  'The deliveries that are sent again.',
  {
    recovered: [Count, 'Number of queued deliveries, at most 1,000.'],
    hasMore: [v.boolean(), 'Whether there may be more. If so, repeat the request.'],
  },
  { recovered: 12, hasMore: false },
)

const Attempt = body(
  'Attempt',
  'One attempt to send an event to a webhook endpoint.',
  {
    eventId: [WireUuid, 'The event.'],
    type: [v.picklist(eventTypes), 'Its type.'],
    attemptedAt: [Timestamp, 'When it began.'],
    responseCode: [
      v.optional(v.pipe(v.number(), v.integer())),
      'The status code of the answer. Nothing else of the answer is stored.',
    ],
    failure: [v.optional(v.picklist(deliveryFailures)), 'Why there was no answer.'],
    durationMs: [Count, 'How long the answer took, or the wait for it.'],
  },
  {
    eventId: EVENT_ID,
    type: 'hire.created',
    attemptedAt: '2026-11-20T09:05:00.000Z',
    responseCode: 503,
    durationMs: 412,
  },
)

export const AttemptList = pageOf(['AttemptList', 'attempts', 'One page of attempts.'], Attempt, [
  'Newest first.',
  'items',
])

const MAX_AGENT_IDS = 100

const unique = <T>(list: T[]): T[] => [...new Set(list)]

const Description = Name(1, 200)
const EventTypes = v.pipe(v.array(v.picklist(eventTypes)), v.maxLength(100), v.transform(unique))
const AgentIds = v.pipe(v.array(Uuid), v.maxLength(MAX_AGENT_IDS), v.transform(unique))

const TYPES_WORDS = 'Only events of these types; empty for all. Unknown types are rejected.'
const AGENTS_WORDS = 'Only events of these agents, which must be yours; empty for all in your log.'
const URL_WORDS =
  'Public https on port 443: no credentials, IP addresses, private names, or this service’s own.'

/** Body of POST /events/endpoints. */
export const WebhookEndpointRequest = body(
  'EndpointRequest',
  'A new webhook endpoint. Unknown fields are rejected.',
  {
    url: [WebhookUrl, URL_WORDS],
    description: [v.optional(Description), 'For yourself; up to 200 characters.'],
    eventTypes: [v.optional(EventTypes, []), TYPES_WORDS],
    agentIds: [v.optional(AgentIds, []), AGENTS_WORDS],
  },
  { url: 'https://example.com/hooks/agentcred', eventTypes: ['hire.created', 'hire.terminated'] },
)

/** Body of PATCH /events/endpoints/{id}; null removes the description (RFC 7396). */
export const WebhookEndpointPatch = body(
  'EndpointPatch',
  'The fields to change. Unknown fields are rejected.',
  {
    url: [
      v.optional(WebhookUrl),
      `${URL_WORDS} A new URL must prove itself first, and waiting deliveries are given up; you can recover them later.`,
    ],
    description: [v.optional(v.nullable(Description)), 'null removes it.'],
    eventTypes: [v.optional(EventTypes), TYPES_WORDS],
    agentIds: [v.optional(AgentIds), AGENTS_WORDS],
    enabled: [
      v.optional(v.boolean()),
      'false pauses it: events are held for up to 30 days. true sends held deliveries.',
    ],
  },
  { eventTypes: ['hire.created', 'charge.recorded'] },
  (object) => v.pipe(object, v.minEntries(1, 'must change at least one field')),
)

export const WebhookEndpointPath = parameters({ id: [Uuid, 'The endpoint.'] }, { id: WEBHOOK_ENDPOINT_ID })

/** Query of GET /events/endpoints. */
export const WebhookEndpointListQuery = parameters({ ...pageFields })

/** Query of a webhook endpoint's attempts. */
export const AttemptListQuery = parameters({
  eventId: [v.optional(Uuid), 'Only attempts to send this event.'],
  ...pageFields,
})

/** Body of POST /events/endpoints/{id}/recover. */
export const RecoverRequest = body(
  'RecoverRequest',
  'The deliveries to send again.',
  { since: [Instant, 'Failed deliveries that were queued at this time or later; an RFC 3339 time.'] },
  { since: '2026-11-20T09:05:00.000Z' },
)
