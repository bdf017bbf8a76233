import * as v from 'valibot'
import { ENDPOINT_ID, EVENT_ID } from '../examples.ts'
import { deliveryFailures, disabledReasons, endpointKinds, eventTypes } from '../values.ts'
import { describe, describeParameters } from '../words.ts'
import { Cursor, Instant, Name, PageLimit, Timestamp, Uuid, WireUuid } from './common.ts'
import { WebhookUrl } from './endpoint-url.ts'

const MAX_AGENT_IDS = 100

const unique = <T>(list: T[]): T[] => [...new Set(list)]

const Description = Name(1, 200)
const EventTypes = v.pipe(v.array(v.picklist(eventTypes)), v.maxLength(100), v.transform(unique))
const AgentIds = v.pipe(v.array(Uuid), v.maxLength(MAX_AGENT_IDS), v.transform(unique))

const TYPES_WORDS = 'Only events of these types; empty for all. An unknown one is refused.'
const AGENTS_WORDS = 'Only events of these agents, which must be yours; empty for all that your log has.'
const URL_WORDS =
  'Public https on port 443: no credentials, IP addresses, private names, or this service’s own.'

/** Body of POST /events/endpoints. */
export const EndpointRequest = v.strictObject({
  url: WebhookUrl,
  description: v.optional(Description),
  eventTypes: v.optional(EventTypes, []),
  agentIds: v.optional(AgentIds, []),
})

if (WORDS)
  describe(EndpointRequest, {
    name: 'EndpointRequest',
    description: 'A new endpoint. Unknown fields are refused.',
    fields: {
      url: URL_WORDS,
      description: 'For yourself; up to 200 characters.',
      eventTypes: TYPES_WORDS,
      agentIds: AGENTS_WORDS,
    },
    example: { url: 'https://example.com/hooks/agentcred', eventTypes: ['hire.created', 'hire.terminated'] },
  })

/** Body of PATCH /events/endpoints/{id}; null removes the description (RFC 7396). */
export const EndpointPatch = v.pipe(
  v.strictObject({
    url: v.optional(WebhookUrl),
    description: v.optional(v.nullable(Description)),
    eventTypes: v.optional(EventTypes),
    agentIds: v.optional(AgentIds),
    enabled: v.optional(v.boolean()),
  }),
  v.minEntries(1, 'must change at least one field'),
)

if (WORDS)
  describe(EndpointPatch, {
    name: 'EndpointPatch',
    description: 'The fields to change. Unknown fields are refused.',
    fields: {
      url: URL_WORDS,
      description: 'null removes it.',
      eventTypes: TYPES_WORDS,
      agentIds: AGENTS_WORDS,
      enabled: 'false pauses it: what happens is held for up to 30 days. true sends what was held.',
    },
    example: { enabled: false },
  })

export const EndpointPath = v.object({ id: Uuid })

if (WORDS) describeParameters(EndpointPath, { id: 'The endpoint.' }, { id: ENDPOINT_ID })

/** Query of GET /events/endpoints and of an endpoint's attempts. */
export const EndpointListQuery = v.object({ limit: PageLimit, cursor: v.optional(Cursor) })

if (WORDS)
  describeParameters(EndpointListQuery, {
    limit: 'Entries a page; above 100 it is 100.',
    cursor: '`nextCursor` of the page before.',
  })

/** Body of POST /events/endpoints/{id}/recover. */
export const RecoverRequest = v.strictObject({ since: Instant })

if (WORDS)
  describe(RecoverRequest, {
    name: 'RecoverRequest',
    description: 'What to send again.',
    fields: { since: 'Deliveries queued at this time or later, of those that were given up.' },
    example: { since: '2026-11-20T09:05:00.000Z' },
  })

const endpointEntries = {
  id: WireUuid,
  kind: v.picklist(endpointKinds),
  url: v.string(),
  description: v.optional(v.string()),
  eventTypes: v.array(v.picklist(eventTypes)),
  agentIds: v.array(WireUuid),
  enabled: v.boolean(),
  disabledAt: v.optional(Timestamp),
  disabledReason: v.optional(v.picklist(disabledReasons)),
  createdAt: Timestamp,
  provenAt: v.optional(Timestamp),
  failingSince: v.optional(Timestamp),
  lastAttemptAt: v.optional(Timestamp),
}

export const Endpoint = v.strictObject(endpointEntries)

/** An endpoint with its secret: in the answer that made it, and in no other. */
export const NewEndpoint = v.strictObject({ ...endpointEntries, secret: v.string() })

const endpointExample: v.InferInput<typeof Endpoint> = {
  id: ENDPOINT_ID,
  kind: 'wallet',
  url: 'https://example.com/hooks/agentcred',
  eventTypes: ['hire.created', 'hire.terminated'],
  agentIds: [],
  enabled: true,
  createdAt: '2026-11-20T09:00:00.000Z',
  provenAt: '2026-11-20T09:05:00.412Z',
  lastAttemptAt: '2026-11-20T09:05:00.000Z',
}

const SECRET_EXAMPLE = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'

const endpointFields = () => ({
  id: 'The endpoint; of an agent’s webhook the agent’s id.',
  kind: '`wallet`: made here. `agent`: the webhookUrl of an agent, which PATCH /agents/{id} changes.',
  url: 'Where events are sent.',
  description: 'What its owner calls it.',
  eventTypes: 'The types that it listens to; empty for all.',
  agentIds: 'The agents that it listens to; empty for all that its owner’s log has.',
  enabled: 'Whether anything is sent to it.',
  disabledAt: 'Since when nothing is.',
  disabledReason: 'paused by its owner, gone (410), or failing (nothing with 2xx for five days).',
  createdAt: 'When it was made.',
  provenAt: 'When its URL first answered 2xx; until then it is sent little (lib/events/README.md).',
  failingSince: 'Since when its URL has answered nothing with 2xx.',
  lastAttemptAt: 'When its URL was last tried, to the hour while all goes well.',
})

if (WORDS) {
  describe(Endpoint, {
    name: 'Endpoint',
    description: 'Where a wallet’s events are sent.',
    fields: endpointFields(),
    example: endpointExample,
  })
  describe(NewEndpoint, {
    name: 'NewEndpoint',
    description: 'A new endpoint and its secret.',
    fields: { ...endpointFields(), secret: 'Its secret, `whsec_` and Base64. It is never shown again.' },
    example: { ...endpointExample, secret: SECRET_EXAMPLE },
  })
}

export const EndpointList = v.strictObject({
  endpoints: v.array(Endpoint),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})

if (WORDS)
  describe(EndpointList, {
    name: 'EndpointList',
    description: 'One page of endpoints.',
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
    description: 'An endpoint’s new secret.',
    fields: {
      id: 'The endpoint.',
      secret: 'It is never shown again.',
      previousSecretEndsAt: 'Until then the secret before signs, too.',
    },
    example: { id: ENDPOINT_ID, secret: SECRET_EXAMPLE, previousSecretEndsAt: '2026-11-21T09:00:00.000Z' },
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
    description: 'One attempt to send an event to an endpoint.',
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
