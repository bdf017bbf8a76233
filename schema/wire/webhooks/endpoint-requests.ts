import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { WEBHOOK_ENDPOINT_ID } from '../../examples.ts'
import { Cursor, PageLimit, Uuid } from '../common.ts'
import { eventTypes } from '../event-types/table.ts'
import { Instant } from '../instant.ts'
import { Name } from '../text.ts'
import { WebhookUrl } from './url.ts'

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
export const WebhookEndpointRequest = v.strictObject({
  url: WebhookUrl,
  description: v.optional(Description),
  eventTypes: v.optional(EventTypes, []),
  agentIds: v.optional(AgentIds, []),
})

describe(WebhookEndpointRequest, {
  name: 'EndpointRequest',
  description: 'A new webhook endpoint. Unknown fields are rejected.',
  fields: {
    url: URL_WORDS,
    description: 'For yourself; up to 200 characters.',
    eventTypes: TYPES_WORDS,
    agentIds: AGENTS_WORDS,
  },
  example: { url: 'https://example.com/hooks/agentcred', eventTypes: ['hire.created', 'hire.terminated'] },
})

/** Body of PATCH /events/endpoints/{id}; null removes the description (RFC 7396). */
export const WebhookEndpointPatch = v.pipe(
  v.strictObject({
    url: v.optional(WebhookUrl),
    description: v.optional(v.nullable(Description)),
    eventTypes: v.optional(EventTypes),
    agentIds: v.optional(AgentIds),
    enabled: v.optional(v.boolean()),
  }),
  v.minEntries(1, 'must change at least one field'),
)

describe(WebhookEndpointPatch, {
  name: 'EndpointPatch',
  description: 'The fields to change. Unknown fields are rejected.',
  fields: {
    url: `${URL_WORDS} A new URL must prove itself first, and waiting deliveries are given up; you can recover them later.`,
    description: 'null removes it.',
    eventTypes: TYPES_WORDS,
    agentIds: AGENTS_WORDS,
    enabled: 'false pauses it: events are held for up to 30 days. true sends held deliveries.',
  },
  example: { eventTypes: ['hire.created', 'charge.recorded'] },
})

export const WebhookEndpointPath = v.object({ id: Uuid })

describeParameters(WebhookEndpointPath, { id: 'The endpoint.' }, { id: WEBHOOK_ENDPOINT_ID })

/** Query of GET /events/endpoints and of a webhook endpoint's attempts. */
export const WebhookEndpointListQuery = v.object({ limit: PageLimit, cursor: v.optional(Cursor) })

describeParameters(WebhookEndpointListQuery, {
  limit: 'Page size; values above 100 count as 100.',
  cursor: 'The `nextCursor` of the previous page.',
})

/** Body of POST /events/endpoints/{id}/recover. */
export const RecoverRequest = v.strictObject({ since: Instant })

describe(RecoverRequest, {
  name: 'RecoverRequest',
  description: 'The deliveries to send again.',
  fields: {
    since: 'Failed deliveries that were queued at this time or later; an RFC 3339 time.',
  },
  example: { since: '2026-11-20T09:05:00.000Z' },
})
