import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { WebhookEndpointRequest } from '../../../schema/wire/webhook-endpoints.ts'
import { noPlaceForWebhookEndpoint } from '../../quotas/refusals.ts'
import { insertEndpoint } from './create-queries.ts'
import { type EndpointDeps, requireSecret } from './deps.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { notYourAgents, requireForeignHost } from './refusals.ts'

/**
 * Makes an endpoint of the wallet, enabled at once, with a secret that is never shown again.
 * @throws Refusal invalid_request for a URL on our own host and for agents of others, quota_exceeded,
 *   dependency_unavailable
 */
export async function createEndpoint(
  deps: EndpointDeps,
  wallet: Wallet,
  input: InferOutput<typeof WebhookEndpointRequest>,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  requireForeignHost(input.url, deps.apiHost, 'url')
  const id = uuidv7({ msecs: deps.now.getTime() })
  const { secret, sealed } = await requireSecret(deps, id)
  const stored = await insertEndpoint(deps.db, { ...input, id, wallet, secret: sealed, now: deps.now })
  if (stored.endpoint) return { endpoint: stored.endpoint, secret }
  throw stored.unowned.length > 0
    ? notYourAgents(input.agentIds, stored.unowned)
    : noPlaceForWebhookEndpoint()
}
