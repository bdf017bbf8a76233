import { base64 } from '@scure/base'
import type { Rpc } from '../../solana/rpc.ts'
import type { RpcBudget, ScanTarget } from '../../transactions/confirmation/message-search.ts'
import { hasHistorySince } from '../../transactions/confirmation/signature-outcome.ts'
import { purchaseReference } from '../chain/purchase.ts'
import type { Intent } from '../transactions/intent-queries.ts'

/**
 * Returns the search for the message of a cosigned intent whose signature is in no block. A collection's
 * message is searched for among the transactions of its budget accounts, which are older than it. A
 * purchase's message is searched for at its reference, a new address.
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
