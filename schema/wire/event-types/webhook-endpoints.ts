import * as v from 'valibot'
import { WEBHOOK_ENDPOINT_ID } from '../../examples.ts'
import { UserText } from '../answer-text.ts'
import { WireUuid } from '../common.ts'
import { row } from './row.ts'

/** The owner of the webhook endpoint. */
const ITS_OWNER = 'its owner’s'

export const webhookEndpointEvents = {
  'endpoint.disabled': row({
    data: v.strictObject({
      endpointId: WireUuid,
      /** Of the webhook of an agent. */
      agentId: v.optional(WireUuid),
      agentName: v.optional(UserText),
      /** Of its URL. */
      host: UserText,
      reason: v.picklist(['gone', 'failing', 'full']),
    }),
    words: {
      meaning:
        'A webhook endpoint was disabled: it answered 410 (`gone`), answered no delivery with 2xx for five days (`failing`), or had more than 10,000 waiting deliveries (`full`). Deliveries about other wallets’ unpaid hires do not disable it: beyond 1,000 the oldest are dropped. Events are held until you enable it: set `enabled` of the endpoint, or the webhookUrl of the agent in `agentId`.',
      log: ITS_OWNER,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-25T09:00:00.000Z',
      data: {
        endpointId: WEBHOOK_ENDPOINT_ID,
        host: 'example.com',
        reason: 'failing',
      },
    },
  }),
  'endpoint.test': row({
    data: v.strictObject({
      endpointId: WireUuid,
      /** Of the webhook of an agent. */
      agentId: v.optional(WireUuid),
      agentName: v.optional(UserText),
    }),
    words: {
      meaning: 'Its owner requested a test of a webhook endpoint. It is sent only to that endpoint.',
      log: ITS_OWNER,
      ofAgent: false,
      receiver: 'the endpoint that is tested',
    },
    example: { timestamp: '2026-11-25T10:00:00.000Z', data: { endpointId: WEBHOOK_ENDPOINT_ID } },
  }),
}
