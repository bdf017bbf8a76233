import * as v from 'valibot'
import { WEBHOOK_ENDPOINT_ID } from '../../examples.ts'
import { WireUuid } from '../common.ts'
import { row } from './row.ts'

/** The owner of the webhook endpoint. */
const ITS_OWNER = 'its owner’s'

export const webhookEndpointEvents = {
  'endpoint.disabled':
    WORDS &&
    row({
      data: v.strictObject({
        endpointId: WireUuid,
        /** Of the webhook of an agent. */
        agentId: v.optional(WireUuid),
        url: v.string(),
        reason: v.picklist(['gone', 'failing', 'full']),
      }),
      words: {
        meaning:
          'Nothing is sent to a webhook endpoint any more: it answered 410 (`gone`), nothing with 2xx for five days (`failing`), or more than 10,000 deliveries waited for it (`full`; of unpaid hires of others, beyond 1,000, the oldest are dropped instead). What happens is held until it is enabled: by `enabled` of the endpoint, or by webhookUrl of the agent that `agentId` names, if it is an agent’s.',
        log: ITS_OWNER,
        ofAgent: false,
      },
      example: {
        timestamp: '2026-11-25T09:00:00.000Z',
        data: {
          endpointId: WEBHOOK_ENDPOINT_ID,
          url: 'https://example.com/hooks/agentcred',
          reason: 'failing',
        },
      },
    }),
  'endpoint.test':
    WORDS &&
    row({
      data: v.strictObject({
        endpointId: WireUuid,
        /** Of the webhook of an agent. */
        agentId: v.optional(WireUuid),
      }),
      words: {
        meaning: 'Its owner asked for a test of a webhook endpoint. It goes to that endpoint alone.',
        log: ITS_OWNER,
        ofAgent: false,
        receiver: 'the endpoint that is tested',
      },
      example: { timestamp: '2026-11-25T10:00:00.000Z', data: { endpointId: WEBHOOK_ENDPOINT_ID } },
    }),
}
