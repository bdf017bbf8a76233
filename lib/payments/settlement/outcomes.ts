import { base64 } from '@scure/base'
import type { Sought } from '../../transactions/confirmation/landing-search.ts'
import { MIN_EXPIRY_AGE_MS } from '../../transactions/relay/limits.ts'
import { purchaseReference } from '../chain/purchase.ts'
import type { Intent, IntentRow } from '../transactions/intent-queries.ts'

/* What a transaction's record and the network's answers say of it; pure. */

type Signing = Pick<IntentRow, 'cosignedAt'>

/** Whether the relay has sent no message of it. */
export const isUnsigned = ({ cosignedAt }: Signing): boolean => cosignedAt === null

/**
 * Whether the authority signs it, too: then it is sent by the service alone, and what became of it is known
 * where its message was found, or proven not to be there.
 */
export const isCosigned = ({ kind }: Pick<IntentRow, 'kind'>): boolean =>
  kind === 'collect' || kind === 'buy_credit'

/** Whether a signed intent may have expired by `now`, so that the block height is worth asking for. */
export const mayHaveExpired = ({ cosignedAt }: Signing, now: Date): boolean =>
  cosignedAt !== null && now.getTime() - cosignedAt.getTime() >= MIN_EXPIRY_AGE_MS

/** What the network answered of an intent's signature, and of its newest final block. */
type Answers = {
  status: { hasFailed: boolean; isFinal: boolean } | undefined
  /** The slot that the node had reached when it looked for the signature. */
  slot: bigint
  finalized: { slot: bigint; height: bigint } | undefined
}

/**
 * Tells what became of a signed intent by its recorded signature.
 * @returns `not_found` when no block that could hold the message has that signature; undefined while nothing
 *   is certain. A failure counts once it is final: a block that is dropped would let the message land again.
 */
export function outcomeOf(
  { lastValidBlockHeight }: Pick<IntentRow, 'lastValidBlockHeight'>,
  { status, slot, finalized }: Answers,
): 'landed' | 'failed' | 'not_found' | undefined {
  if (status) {
    if (!status.hasFailed) return 'landed'
    return status.isFinal ? 'failed' : undefined
  }
  const isPast = finalized && finalized.height > lastValidBlockHeight && slot >= finalized.slot
  return isPast ? 'not_found' : undefined
}

/** For so long every node knows a transaction that has landed. */
const SURELY_KEPT_MS = 3_600_000

/**
 * What is searched for of a cosigned intent whose signature no block has: its message, among the transactions
 * of a collection's budget accounts, which were opened before it was built, or of a purchase's reference,
 * which is new.
 */
export async function soughtOf(intent: Intent, now: Date): Promise<Sought> {
  const { id, wallet, kind, cosignedMessage, cosignedAt, builtSlot, legs } = intent
  const isPurchase = kind === 'buy_credit'
  return {
    id,
    message: base64.decode(cosignedMessage ?? ''),
    builtSlot,
    addresses: isPurchase ? [await purchaseReference(wallet, id)] : legs.map(({ address }) => address),
    isNewAccount: isPurchase && now.getTime() - (cosignedAt ?? now).getTime() < SURELY_KEPT_MS,
  }
}
