import type { Wallet } from '../../../schema/wallet.ts'
import type { EndpointDeps } from './deps.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { notChangeable } from './errors.ts'
import { deleteEndpoint } from './remove-queries.ts'

/** The most deliveries that a deletion gives up, so that it takes no longer after more events. */
const MAX_ENDED = 1_000

/**
 * Deletes an endpoint that the wallet has made, and its secrets. Nothing more is sent to it.
 * @returns the endpoint before its deletion
 * @throws ApiError `endpoint_not_found`, `endpoint_of_agent`
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
