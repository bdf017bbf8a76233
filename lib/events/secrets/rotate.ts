import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { DAY_MS } from '../../time.ts'
import { type EndpointDeps, requireSecret } from '../endpoints/deps.ts'
import { endpointNotFound } from '../endpoints/errors.ts'

/** So long the secret before signs beside the new one, for its owner to give the new one to receivers. */
const OVERLAP_MS = DAY_MS

/**
 * Gives an endpoint another secret, which is never shown again. The one before signs beside it for 24 hours;
 * rotating once more ends that at once. An agent's webhook without a secret gets its first.
 * @param id the endpoint, or the agent whose webhook it is
 * @returns the secret, and when the one before ends: now where there was none
 * @throws ApiError endpoint_not_found, dependency_unavailable
 */
export async function rotateEndpointSecret(
  deps: EndpointDeps,
  wallet: Wallet,
  id: string,
): Promise<{ secret: string; previousSecretEndsAt: Date }> {
  const { secret, sealed } = await requireSecret(deps, id)
  const endsAt = new Date(deps.now.getTime() + OVERLAP_MS)
  const { outcome } = await postgres.rotateWebhookSecret.call(deps.db, { id, wallet, secret: sealed, endsAt })
  if (outcome === 'endpoint_not_found') throw endpointNotFound()
  return { secret, previousSecretEndsAt: outcome === 'created' ? deps.now : endsAt }
}
