import type { WebhookProof } from '../../../schema/values.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { NewWebhookEndpoint, WebhookEndpoint } from '../../../schema/wire/webhooks.ts'
import { answer } from '../../answer.ts'
import type { EndpointRow } from './endpoint-queries.ts'

/** Returns the row of an endpoint as its owner sees it, without its secret. */
export const webhookEndpointRow = ({ destination, ...endpoint }: EndpointRow) => ({
  ...endpoint,
  enabled: endpoint.disabledAt === null,
  proof: proofOf(destination),
  unconfirmedReason: proofOf(destination) === 'unconfirmed' ? destination?.unconfirmedReason : undefined,
  provenAt: destination?.provenAt,
  failingSince: destination?.failingSince,
  pausedUntil: destination?.heldUntil,
  // A destination's row may exist before its first attempt, which may have to wait for a token.
  lastAttemptAt:
    destination?.provenAt || destination?.answeredAt || destination?.failingSince
      ? destination.lastAttemptAt
      : undefined,
})

/** Makes an Endpoint. */
export const webhookEndpointView = (endpoint: EndpointRow): Wire<typeof WebhookEndpoint> =>
  answer(WebhookEndpoint, webhookEndpointRow(endpoint))

/** Returns the state of the receiver's consent at an endpoint's URL. */
const proofOf = (destination: EndpointRow['destination']): WebhookProof =>
  destination?.provenAt ? 'proven' : destination?.answeredAt ? 'unconfirmed' : 'new'

/** Returns a new endpoint: the only answer that shows its secret. */
export const newWebhookEndpointView = ({
  endpoint,
  secret,
}: {
  endpoint: EndpointRow
  secret: string
}): Wire<typeof NewWebhookEndpoint> => answer(NewWebhookEndpoint, { ...webhookEndpointRow(endpoint), secret })
