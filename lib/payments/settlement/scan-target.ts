import { base64 } from '@scure/base'
import type { Rpc } from '../../solana/rpc.ts'
import type { RpcBudget, ScanTarget } from '../../transactions/confirmation/landing-search.ts'
import { hasHistorySince } from '../../transactions/confirmation/signature-outcome.ts'
import { purchaseReference } from '../chain/purchase.ts'
import type { Intent } from '../transactions/intent-queries.ts'

/**
 * Returns what to search for when no block has a cosigned intent's signature: its message, among the
 * transactions of a collection's budget accounts, which were opened before it was built, or of a purchase's
 * reference, which is new with it.
 * @throws ApiError dependency_unavailable
 */
export async function scanTargetOf(
  { rpc, now, calls }: { rpc: Rpc; now: Date; calls: RpcBudget },
  { id, wallet, kind, cosignedMessage, cosignedAt, builtSlot, legs }: Intent,
): Promise<ScanTarget> {
  const signedAt = cosignedAt ?? now
  const isPurchase = kind === 'buy_credit'
  return {
    id,
    message: base64.decode(cosignedMessage ?? ''),
    builtSlot,
    addresses: isPurchase ? [await purchaseReference(wallet, id)] : legs.map(({ address }) => address),
    isNewAccount: isPurchase && (await hasHistorySince(rpc, now, { signedAt, builtSlot, calls })),
  }
}
