import type { Wallet } from '../../../schema/wallet.ts'
import { type EndpointChange, updateEndpoint } from './change-queries.ts'
import type { EndpointDeps } from './deps.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { notChangeable, notYourAgents, requireForeignHost } from './refusals.ts'

/**
 * Changes an endpoint that the wallet has made. Enabling it sends what was held.
 * @throws Refusal endpoint_not_found, endpoint_of_agent, invalid_request for a URL on our own host and for
 *   agents of others
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  wallet: Wallet,
  { id, patch }: { id: string; patch: EndpointChange },
): Promise<EndpointRow> {
  requireForeignHost(patch.url, deps.apiHost, 'url')
  const stored = await updateEndpoint(deps.db, { id, wallet, now: deps.now }, patch)
  const { endpoint, unowned } = stored
  if (unowned.length > 0) throw notYourAgents(patch.agentIds ?? [], unowned)
  if (!endpoint) throw notChangeable(stored)
  if (patch.enabled || patch.url !== undefined) deps.nudge([id])
  return endpoint
}
