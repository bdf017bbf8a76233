import type { Wallet } from '../../../schema/wallet.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { FacilitatorKey } from '../../../schema/wire/x402.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { writeFacilitatorKey } from './facilitator-key.ts'

/**
 * Makes a new key of an agent. The previous one ends at once.
 * @throws ApiError `agent_not_found`
 */
export async function makeKey(
  { db, now, keySecret }: { db: Db; now: Date; keySecret: string },
  owner: Wallet,
  agentId: string,
): Promise<{ agentId: string; keyVersion: number; key: string }> {
  const { outcome, generation: keyVersion } = await postgres.makeFacilitatorKey.call(db, {
    agentId,
    owner,
    now,
  })
  if (outcome === 'agent_not_found' || keyVersion === null)
    throw new ApiError('agent_not_found', 'No agent of this wallet has this id.')
  return { agentId, keyVersion, key: await writeFacilitatorKey(keySecret, { agentId, keyVersion }) }
}

/** Returns a key with the facilitator's URL, at the origin of the request. */
export const keyView = (
  { agentId, keyVersion, key }: { agentId: string; keyVersion: number; key: string },
  askedUrl: string,
): Wire<typeof FacilitatorKey> => ({
  agentId,
  generation: keyVersion,
  key,
  url: `${new URL(askedUrl).origin}/v1/x402/k/${key}`,
})
