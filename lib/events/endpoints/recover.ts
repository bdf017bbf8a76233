import type { Wallet } from '../../../schema/wallet.ts'
import type { EndpointDeps } from './deps.ts'
import { endpointDisabled, endpointNotFound } from './errors.ts'
import { recoverFailed } from './recover-queries.ts'

/** As many deliveries as one call puts in line. */
const MAX_RECOVERED = 1_000

/**
 * Sends an endpoint again the deliveries that were put in line since a time and given up, the oldest first.
 * @returns how many, and whether there are more: ask again
 * @throws ApiError endpoint_not_found, webhook_disabled
 */
export async function recoverDeliveries(
  deps: Pick<EndpointDeps, 'db' | 'now' | 'nudge'>,
  wallet: Wallet,
  { id, since }: { id: string; since: Date },
): Promise<{ recovered: number; hasMore: boolean }> {
  const found = await recoverFailed(deps.db, { id, wallet, since, now: deps.now, limit: MAX_RECOVERED })
  if (!found) throw endpointNotFound()
  if (!found.isLive) throw endpointDisabled()
  if (found.count > 0) deps.nudge([id])
  return { recovered: found.count, hasMore: found.count === MAX_RECOVERED }
}
