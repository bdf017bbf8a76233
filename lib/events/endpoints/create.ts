import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { WebhookEndpointRequest } from '../../../schema/wire/webhooks.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { tooManyWebhooks, webhookEndpointsFull } from '../../quotas/errors.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../quotas/rules.ts'
import { type EndpointDeps, requireSecret } from './deps.ts'
import { type EndpointRow, endpointById, endpointJson } from './endpoint-queries.ts'
import { notYourAgents, requireForeignHost } from './errors.ts'

/**
 * Makes an enabled endpoint of the wallet, with a secret that only this answer shows.
 * @param address the client's address, which has an hourly limit of new endpoints
 * @throws ApiError `invalid_request` for a URL on this service's host or agents of other wallets;
 *   `quota_exceeded`; `rate_limited` above the address's limit; `dependency_unavailable`
 */
export async function createEndpoint(
  deps: EndpointDeps,
  wallet: Wallet,
  input: InferOutput<typeof WebhookEndpointRequest>,
  address: string,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  requireForeignHost(input.url, deps.apiHost, 'url')
  const { db, now, webhooksPerAddress } = deps
  const id = uuidv7({ msecs: now.getTime() })
  const { secret, encrypted } = await requireSecret(deps, id)
  const [{ outcome, unowned }, [endpoint]] = await postgres.createWebhookEndpoint.callThenRead(
    db,
    {
      endpoint: endpointJson({ ...input, id, wallet, secret: encrypted }),
      limit: WEBHOOK_ENDPOINTS_PER_WALLET,
      addressHash: await addressHash('webhooks', address),
      webhooksPerAddress,
      now,
    },
    endpointById.item({ id, wallet }),
  )
  switch (outcome) {
    case 'agents_not_owned':
      throw notYourAgents(input.agentIds, unowned)
    case 'quota_full':
      throw webhookEndpointsFull()
    case 'address_too_often':
      throw tooManyWebhooks(webhooksPerAddress, now)
    case 'created':
      if (!endpoint) throw new Error('the created endpoint is missing')
      return { endpoint, secret }
  }
}
