import type { Wallet } from '../../../schema/wallet.ts'
import type { EndpointDeps } from './deps.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { notChangeable } from './errors.ts'
import { deleteEndpoint } from './remove-queries.ts'

/** As many deliveries are given up at once, so that deleting takes no longer the more was sent. */
const MAX_ENDED = 1_000

/**
 * Deletes an endpoint that the wallet has made: nothing more is sent to it, and its secrets are gone.
 * @returns the endpoint as it was
 * @throws ApiError endpoint_not_found, endpoint_of_agent
 */
export async function removeEndpoint(
  deps: Pick<EndpointDeps, 'db' | 'now'>,
  wallet: Wallet,
  id: string,
): Promise<EndpointRow> {
  const deleted = await deleteEndpoint(deps.db, { id, wallet, now: deps.now, limit: MAX_ENDED })
  if (!deleted.endpoint) throw notChangeable(deleted)
  return deleted.endpoint
}
