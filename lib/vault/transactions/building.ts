import { v7 as uuidv7 } from 'uuid'
import type { Cred } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import type { ChainView } from '../../solana/look-up.ts'
import type { Built, Network } from '../../transactions/cosigning/envelope.ts'
import { TRANSACTION_LIFETIME_MS } from '../../transactions/relay/limits.ts'
import type { VaultDeps } from '../deps.ts'
import type { Intent, IntentRow } from '../queries.ts'
import { expiresAt } from './signing.ts'

/* The common part of stack, claim and unstack: the intent's id, the network's part, and the record. */

/** A transaction that waits for its owner's signature, as returned to the caller. */
export type BuiltTransaction = {
  id: string
  signing: Signing
  transaction: string
  message: string
  lastValidBlockHeight: bigint
  expiresAt: Date
}

/** Makes a new intent's id. Ids sort by the time of building. */
export const newIntentId = ({ now }: Pick<VaultDeps, 'now'>): string => uuidv7({ msecs: now.getTime() })

/**
 * Returns the network's part of a transaction: the newest blockhash, and the configured priority fee.
 */
export const networkOf = (
  { computeUnitPrice }: Pick<VaultDeps, 'computeUnitPrice'>,
  { blockhash }: ChainView,
): Network => ({ blockhash: blockhash.blockhash, computeUnitPrice })

/** The columns that every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'owner' | 'keyVersion' | 'signing' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/**
 * A built transaction, its owner and keys, the state that it was built from, and the message to its owner.
 */
type BuiltIntent = {
  id: string
  owner: Wallet
  keyVersion: number
  signing: Signing
  built: Built
  message: string
  seen: ChainView
}

/** Makes the intent that records a built transaction. */
export const intentOf = (
  { now }: Pick<VaultDeps, 'now'>,
  { id, owner, keyVersion, signing, built, message, seen }: BuiltIntent,
): NewIntent => ({
  id,
  owner,
  keyVersion,
  signing,
  transaction: built.transaction,
  message,
  lastValidBlockHeight: seen.blockhash.lastValidBlockHeight,
  builtSlot: seen.slot,
  now,
})

/** Makes the answer for an intent that was built now. */
export const newlyBuilt = (intent: NewIntent): BuiltTransaction =>
  builtOf({ ...intent, createdAt: intent.now, cosignedAt: null })

/** Makes the answer for a recorded intent. */
export const builtOf = (
  intent: Pick<
    IntentRow,
    'id' | 'signing' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'createdAt' | 'cosignedAt'
  >,
): BuiltTransaction => ({
  id: intent.id,
  signing: intent.signing,
  transaction: intent.transaction,
  message: intent.message,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  expiresAt: expiresAt(intent),
})

/** A requested withdrawal: its account, the account's balance, and the signing order. */
type Withdrawal = {
  kind: 'unstack' | 'leftovers'
  address: Address
  balance: Cred
  signing: Signing
}

/**
 * Finds an open withdrawal that still has most of its lifetime and would still land. Repeated requests get
 * the same transaction, so that they add no rows.
 */
export const freshWithdrawal = (openIntents: Intent[], asked: Withdrawal, now: Date): Intent | undefined =>
  openIntents.find(
    ({ kind, legs, createdAt, signing, cosignedAt }) =>
      kind === asked.kind &&
      signing === asked.signing &&
      cosignedAt === null &&
      legs.some((leg) => leg.address === asked.address && leg.balanceBefore === asked.balance) &&
      now.getTime() - createdAt.getTime() < TRANSACTION_LIFETIME_MS / 3,
  )
