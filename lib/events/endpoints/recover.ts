import type { Wallet } from '../../../schema/wallet.ts'
import type { EndpointDeps } from './deps.ts'
import { endpointDisabled, endpointNotFound } from './errors.ts'
import { recoverFailed } from './recover-queries.ts'

/** The most deliveries that one call enqueues. */
export const MAX_RECOVERED = 1_000

/**
 * Enqueues an endpoint's failed deliveries again that were enqueued since a time, oldest first.
 * @returns the number of deliveries, and whether another call may find more
 * @throws ApiError `endpoint_not_found`, `webhook_disabled`
 */
export async function recoverDeliveries(
  deps: Pick<EndpointDeps, 'db' | 'now' | 'notify'>,
  wallet: Wallet,
  { id, since }: { id: string; since: Date },
): Promise<{ recovered: number; hasMore: boolean }> {
  const found = await recoverFailed(deps.db, { id, wallet, since, now: deps.now, limit: MAX_RECOVERED })
  if (!found) throw endpointNotFound()
  if (!found.isLive) throw endpointDisabled()
  if (found.count > 0) deps.notify([id])
  return { recovered: found.count, hasMore: found.count === MAX_RECOVERED }
}
