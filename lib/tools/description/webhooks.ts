import { figure, span } from '../../../schema/figures.ts'
import { EndpointVerification } from '../../../schema/wire/endpoint-verification.ts'
import { Events, eventSchemaName } from '../../../schema/wire/event.ts'
import { type EventType, eventTable, eventTypes } from '../../../schema/wire/event-types/table.ts'
import { BUCKETS, MAX_ATTEMPTS, MAX_RETRY_AFTER_MS, WEBHOOK_TIMEOUT_MS } from '../../events/limits.ts'
import { HOUR_MS } from '../../time.ts'
import { mediaOf } from './schemas.ts'

/** The webhook that is not an event. */
export const VERIFICATION = 'endpoint.verification'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const SENDING =
  'Delivery is at least once, in no guaranteed order, signed by Standard Webhooks 1.0.0. Verify before you parse. At a webhookUrl, check that data.agentId is your agent.'

const LISTENERS =
  'every webhook endpoint whose filters match, and to the agent’s webhookUrl if it is about an agent'

function descriptionOf(type: EventType): string {
  const { meaning, receiver = LISTENERS } = eventTable[type].words
  return `${meaning} Sent to ${receiver}. ${SENDING}`
}

const HEADERS = [
  header('webhook-id', 'The event’s id.'),
  header('webhook-timestamp', 'Unix seconds of this attempt.'),
  header(
    'webhook-signature',
    'Separated by spaces: one or more `v1a,<Base64>`, Ed25519 over `id.timestamp.body` with the keys of GET /events/keys. For an endpoint with a secret they follow one `v1,<Base64>` for each valid secret, HMAC-SHA256 over the same text.',
  ),
]

const FAILURE = `Anything else, including a redirect or no answer within ${span(WEBHOOK_TIMEOUT_MS, 'second')}, is a failure: up to ${figure(MAX_ATTEMPTS - 1)} more attempts follow over three to five days. Retry-After is respected up to ${span(MAX_RETRY_AFTER_MS, 'hour')} each time; with 429 or 503 it delays all deliveries to the same URL.`

/** Returns a request to a webhook's URL, with the meaning of its answers. */
const webhookOf = (
  words: { operationId: string; summary: string; description: string },
  schema: Parameters<typeof mediaOf>[0],
  accepted: string,
) => ({
  post: {
    ...words,
    // A separate tag: openapi-generator overwrites operations that share a tag with webhooks.
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': mediaOf(schema) } },
    responses: {
      '2XX': { description: accepted },
      410: { description: 'Gone: the endpoint is disabled.' },
      default: { description: FAILURE },
    },
  },
})

/** The events that an unconfirmed URL gets. */
const { tokens, everyMs } = BUCKETS.url

const verification = webhookOf(
  {
    operationId: 'onEndpointVerification',
    summary: 'Request for a proof',
    description: `The first POST to a URL. It is not an event: it asks the receiver to prove that it wants the events of \`data.wallet\`. It is signed like an event. Until the receiver answers it so, or its owner confirms with the challenge, the URL gets ${figure(tokens)} events, and then ${figure(HOUR_MS / everyMs)} an hour.`,
  },
  EndpointVerification,
  'With the lowercase hexadecimal SHA-256 of `data.challenge` as its whole body: the URL is proven. With anything else: it is unconfirmed.',
)

/**
 * Returns the document's `webhooks` section: the requests to a webhook endpoint, and the meaning of its
 * answers.
 */
export const webhooksSection = (): Record<string, unknown> => ({
  [VERIFICATION]: verification,
  ...Object.fromEntries(
    eventTypes.map((type) => [
      type,
      webhookOf(
        {
          operationId: `on${eventSchemaName(type)}`,
          summary: `Event ${type}`,
          description: descriptionOf(type),
        },
        Events[type],
        'Delivered; it is not sent again.',
      ),
    ]),
  ),
})
