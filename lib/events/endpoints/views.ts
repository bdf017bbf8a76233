import type { WebhookProof } from '../../../schema/values.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type {
  AttemptList,
  NewWebhookEndpoint,
  Recovery,
  RotatedSecret,
  WebhookEndpoint,
  WebhookEndpointList,
} from '../../../schema/wire/webhooks.ts'
import type { AttemptRow } from './attempt-queries.ts'
import type { EndpointRow } from './endpoint-queries.ts'

/** Returns an endpoint as its owner sees it, without its secret. */
export const webhookEndpointView = ({
  destination,
  ...endpoint
}: EndpointRow): Wire<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  kind: endpoint.kind,
  url: endpoint.url,
  description: endpoint.description ?? undefined,
  eventTypes: endpoint.eventTypes,
  agentIds: endpoint.agentIds,
  enabled: endpoint.disabledAt === null,
  disabledAt: endpoint.disabledAt?.toISOString(),
  disabledReason: endpoint.disabledReason ?? undefined,
  createdAt: endpoint.createdAt.toISOString(),
  proof: proofOf(destination),
  unconfirmedReason:
    proofOf(destination) === 'unconfirmed' ? (destination?.unconfirmedReason ?? undefined) : undefined,
  provenAt: destination?.provenAt?.toISOString(),
  failingSince: destination?.failingSince?.toISOString(),
  // A destination's row may exist before its first attempt, which may have to wait for a token.
  lastAttemptAt:
    destination?.provenAt || destination?.answeredAt || destination?.failingSince
      ? destination.lastAttemptAt.toISOString()
      : undefined,
})

/** Returns the state of the receiver's consent at an endpoint's URL. */
const proofOf = (destination: EndpointRow['destination']): WebhookProof =>
  destination?.provenAt ? 'proven' : destination?.answeredAt ? 'unconfirmed' : 'new'

/** Returns a new endpoint: the only answer that shows its secret. */
export const newWebhookEndpointView = (made: {
  endpoint: EndpointRow
  secret: string
}): Wire<typeof NewWebhookEndpoint> => ({ ...webhookEndpointView(made.endpoint), secret: made.secret })

export const webhookEndpointListView = (page: {
  endpoints: EndpointRow[]
  nextCursor?: string
}): Wire<typeof WebhookEndpointList> => ({
  endpoints: page.endpoints.map(webhookEndpointView),
  count: page.endpoints.length,
  nextCursor: page.nextCursor,
})

/** Returns a rotated secret: the only answer that shows it. */
export const rotatedSecretView = (
  id: string,
  { secret, previousSecretEndsAt }: { secret: string; previousSecretEndsAt: Date },
): Wire<typeof RotatedSecret> => ({
  id,
  secret,
  previousSecretEndsAt: previousSecretEndsAt.toISOString(),
})

export const recoveryView = ({
  recovered,
  hasMore,
}: {
  recovered: number
  hasMore: boolean
}): Wire<typeof Recovery> => ({ recovered, hasMore })

/** Returns one page of attempts. Of an endpoint's answer only the status code is stored. */
export const attemptListView = (page: {
  attempts: AttemptRow[]
  nextCursor?: string
}): Wire<typeof AttemptList> => ({
  attempts: page.attempts.map((attempt) => ({
    eventId: attempt.eventId,
    type: attempt.type,
    attemptedAt: attempt.attemptedAt.toISOString(),
    responseCode: attempt.responseCode ?? undefined,
    failure: attempt.failure ?? undefined,
    durationMs: attempt.durationMs,
  })),
  count: page.attempts.length,
  nextCursor: page.nextCursor,
})
