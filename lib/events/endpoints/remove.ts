import type { Wallet } from '../../../schema/wallet.ts'
import type { EndpointDeps } from './deps.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { notChangeable } from './refusals.ts'
import { deleteEndpoint } from './remove-queries.ts'

/**
 * Deletes an endpoint that the wallet has made: nothing more is sent to it, and its secrets are gone.
 * @returns the endpoint as it was
 * @throws Refusal endpoint_not_found, endpoint_of_agent
 */
export async function removeEndpoint(
  deps: Pick<EndpointDeps, 'db'>,
  wallet: Wallet,
  id: string,
): Promise<EndpointRow> {
  const deleted = await deleteEndpoint(deps.db, { id, wallet })
  if (!deleted.endpoint) throw notChangeable(deleted)
  return deleted.endpoint
}
