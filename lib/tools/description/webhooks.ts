import { EndpointVerification } from '../../../schema/wire/endpoint-verification.ts'
import { Events, eventSchemaName } from '../../../schema/wire/event.ts'
import { type EventType, eventTypes, rowOf } from '../../../schema/wire/event-types/table.ts'
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
  'at least once and in no promised order, signed as Standard Webhooks 1.0.0 has it. Verify before you parse. At a webhookUrl, check that data.agentId is your agent.'

const LISTENERS =
  'every webhook endpoint that listens to it, and to the agent’s webhookUrl if it is about an agent'

function descriptionOf(type: EventType): string {
  const { meaning, receiver = LISTENERS } = rowOf(type).words
  return `${meaning} Sent to ${receiver}, ${SENDING}`
}

const HEADERS = [
  header('webhook-id', 'The event’s id.'),
  header('webhook-timestamp', 'Unix seconds of this attempt.'),
  header(
    'webhook-signature',
    'Separated by spaces: one or more `v1a,<Base64>`, Ed25519 over `id.timestamp.body` by the keys of GET /events/keys; before them, to an endpoint with a secret, one `v1,<Base64>` for each valid secret, HMAC-SHA256 over the same.',
  ),
]

const FAILURE =
  'Anything else, a redirect or no answer within 15 seconds, is a failure: up to nine more attempts over three to four days. Retry-After is honoured up to 24 hours each time; with 429 or 503 it holds all that waits for the same URL.'

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

const verification = webhookOf(
  {
    operationId: 'onEndpointVerification',
    summary: 'Request for a proof',
    description:
      'The first POST to a URL, and no event: it asks the receiver to prove that it wants the events of `data.wallet`. Signed like an event. Until it is answered so, or its owner has handed the challenge back, the URL is sent an event a minute at most.',
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
