import * as v from 'valibot'
import { WEBHOOK_ENDPOINT_ID } from '../../examples.ts'
import { body, pageFields, parameters } from '../body.ts'
import { Uuid } from '../common.ts'
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

/** Query of GET /events/endpoints and of a webhook endpoint's attempts. */
export const WebhookEndpointListQuery = parameters({ ...pageFields })

/** Body of POST /events/endpoints/{id}/recover. */
export const RecoverRequest = body(
  'RecoverRequest',
  'The deliveries to send again.',
  { since: [Instant, 'Failed deliveries that were queued at this time or later; an RFC 3339 time.'] },
  { since: '2026-11-20T09:05:00.000Z' },
)
