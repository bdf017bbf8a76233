import { base64 } from '@scure/base'
import type { Rpc } from '../../solana/rpc.ts'
import type { RpcBudget, ScanTarget } from '../../transactions/confirmation/message-search.ts'
import { hasHistorySince } from '../../transactions/confirmation/signature-outcome.ts'
import { purchaseReference } from '../chain/purchase.ts'
import type { Intent } from '../transactions/intent-queries.ts'

/**
 * Returns the search for the message of a cosigned intent whose signature is in no block. It is searched for
 * among the transactions of the accounts that it pays from, which are older than it. A purchase's message is
 * searched for at its reference, and a job's funding at the escrow that it makes: both are new addresses.
 * @throws ApiError dependency_unavailable
 */
export async function scanTargetOf(
  { rpc, now, calls }: { rpc: Rpc; now: Date; calls: RpcBudget },
  { id, wallet, kind, cosignedMessage, cosignedAt, builtSlot, legs, jobs }: Intent,
): Promise<ScanTarget> {
  const signedAt = cosignedAt ?? now
  const isPurchase = kind === 'buy_credit'
  const isNew = isPurchase || kind === 'fund_job'
  return {
    id,
    message: base64.decode(cosignedMessage ?? ''),
    builtSlot,
    addresses: isPurchase
      ? [await purchaseReference(wallet, id)]
      : [...legs, ...jobs].map(({ address }) => address),
    isNewAccount: isNew && (await hasHistorySince(rpc, now, { signedAt, builtSlot, calls })),
  }
}
