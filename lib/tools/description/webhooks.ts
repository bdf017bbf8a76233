import { Events, eventSchemaName } from '../../../schema/wire/event.ts'
import { type EventType, eventTypes, rowOf } from '../../../schema/wire/event-types/table.ts'
import { mediaOf } from './schemas.ts'

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

/** The `webhooks` section of the document: what a webhook endpoint is sent, and what its answers mean. */
export function webhooksSection(): Record<string, unknown> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${eventSchemaName(type)}`,
          tags: ['Events'],
          summary: `Event ${type}`,
          description: descriptionOf(type),
          security: [],
          parameters: [
            header('webhook-id', 'The event’s id.'),
            header('webhook-timestamp', 'Unix seconds of this attempt.'),
            header(
              'webhook-signature',
              'Separated by spaces: one or more `v1a,<Base64>`, Ed25519 over `id.timestamp.body` by the keys of GET /events/keys; before them, to an endpoint with a secret, one `v1,<Base64>` for each valid secret, HMAC-SHA256 over the same.',
            ),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': mediaOf(Events[type]),
            },
          },
          responses: {
            '2XX': { description: 'Delivered; it is not sent again.' },
            410: { description: 'Gone: the endpoint is disabled.' },
            default: {
              description:
                'Anything else, a redirect or no answer within 15 seconds, is a failure: up to nine more attempts over three to four days. Retry-After is honoured up to 24 hours each time; with 429 or 503 it holds all that waits for the same URL.',
            },
          },
        },
      },
    ]),
  )
}
