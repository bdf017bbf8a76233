import type { Wallet } from '../../../schema/wallet.ts'
import { testedTooSoon } from '../../quotas/refusals.ts'
import { TEST_INTERVAL_MS } from '../../quotas/rules.ts'
import type { DeliveryRow } from '../delivery-queries.ts'
import type { EndpointDeps } from './deps.ts'
import { endpointDisabled, endpointNotFound } from './refusals.ts'
import { insertTest } from './test-queries.ts'

/**
 * Sends an endpoint the event `endpoint.test`, whatever types it listens to.
 * @throws Refusal endpoint_not_found, webhook_disabled, rate_limited
 */
export async function sendTest(
  deps: Pick<EndpointDeps, 'db' | 'now' | 'nudge'>,
  wallet: Wallet,
  id: string,
): Promise<DeliveryRow> {
  const testedBefore = new Date(deps.now.getTime() - TEST_INTERVAL_MS)
  const found = await insertTest(deps.db, { id, wallet, testedBefore, now: deps.now })
  if (!found) throw endpointNotFound()
  if (!found.isLive) throw endpointDisabled()
  if (!found.delivery) throw testedTooSoon()
  deps.nudge([id])
  return found.delivery
}
