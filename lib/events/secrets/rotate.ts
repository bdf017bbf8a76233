import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { DAY_MS } from '../../time.ts'
import { type EndpointDeps, requireSecret } from '../endpoints/deps.ts'
import { endpointNotFound } from '../endpoints/errors.ts'

/** The time during which the previous secret also signs, so that the owner can give receivers the new one. */
export const OVERLAP_MS = DAY_MS

/**
 * Gives an endpoint a new secret, which is shown only in this answer. The previous one also signs for 24
 * hours; another rotation ends that at once. An agent's webhook without a secret gets its first.
 * @param id the endpoint, or the agent with the webhook
 * @returns the new secret, and when the previous one ends: now without a previous one
 * @throws ApiError `endpoint_not_found`, `dependency_unavailable`
 */
export async function rotateEndpointSecret(
  deps: EndpointDeps,
  wallet: Wallet,
  id: string,
): Promise<{ secret: string; previousSecretEndsAt: Date }> {
  const { secret, encrypted } = await requireSecret(deps, id)
  const endsAt = new Date(deps.now.getTime() + OVERLAP_MS)
  const { outcome } = await postgres.rotateWebhookSecret.call(deps.db, {
    id,
    wallet,
    secret: encrypted,
    endsAt,
  })
  if (outcome === 'endpoint_not_found') throw endpointNotFound()
  return { secret, previousSecretEndsAt: outcome === 'created' ? deps.now : endsAt }
}
