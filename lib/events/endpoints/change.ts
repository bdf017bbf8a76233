import type { Wallet } from '../../../schema/wallet.ts'
import type { EventType } from '../../../schema/wire/event-types/table.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { tooManyWebhookChanges } from '../../quotas/errors.ts'
import { webhookChangesAllowed } from '../../quotas/rules.ts'
import type { EndpointDeps } from './deps.ts'
import { type EndpointRow, endpointById, endpointJson } from './endpoint-queries.ts'
import { notChangeable, notYourAgents, requireForeignHost } from './errors.ts'

/** The changes to an endpoint: undefined leaves a value, null clears it. */
type EndpointChange = {
  url?: string | undefined
  description?: string | null | undefined
  eventTypes?: EventType[] | undefined
  agentIds?: string[] | undefined
  enabled?: boolean | undefined
}

/**
 * Changes an endpoint that the wallet has made. Enabling it sends the held deliveries.
 * @param address the client's address, which has an hourly limit of changes
 * @throws ApiError `endpoint_not_found`, `endpoint_of_agent`; `invalid_request` for a URL on this service's
 *   host or agents of other wallets; `rate_limited` above the address's limit
 */
export async function changeEndpoint(
  { db, now, notify, apiHost, webhooksPerAddress }: EndpointDeps,
  wallet: Wallet,
  { id, patch }: { id: string; patch: EndpointChange },
  address: string,
): Promise<EndpointRow> {
  requireForeignHost(patch.url, apiHost, 'url')
  const { enabled, ...changes } = patch
  const changesPerAddress = webhookChangesAllowed(webhooksPerAddress)
  const [{ outcome, unowned }, [endpoint]] = await postgres.changeWebhookEndpoint.callThenRead(
    db,
    {
      ...{ id, wallet, changes: endpointJson(changes), enabled },
      addressHash: await addressHash('webhook changes', address),
      changesPerAddress,
      now,
    },
    endpointById.item({ id, wallet }),
  )
  switch (outcome) {
    case 'agents_not_owned':
      throw notYourAgents(changes.agentIds ?? [], unowned)
    case 'endpoint_of_agent':
    case 'endpoint_not_found':
      throw notChangeable({ isWebhook: outcome === 'endpoint_of_agent' })
    case 'address_too_often':
      throw tooManyWebhookChanges(changesPerAddress, now)
    case 'changed':
      if (!endpoint) throw new Error('the changed endpoint is missing')
      if (enabled || changes.url !== undefined) notify([id])
      return endpoint
  }
}
