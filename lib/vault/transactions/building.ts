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

/* What stack, claim and unstack have in common: the intent's id, what the network asks, and recording. */

/** A transaction that waits for its owner's signature, as the caller gets it. */
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
 * What a transaction takes from the network: the blockhash it was built on, and the configured priority fee.
 */
export const networkOf = (
  { computeUnitPrice }: Pick<VaultDeps, 'computeUnitPrice'>,
  { blockhash }: ChainView,
): Network => ({ blockhash: blockhash.blockhash, computeUnitPrice })

/** What every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'owner' | 'generation' | 'signing' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/** What a transaction was built from and for, and what its owner is told of it. */
type BuiltIntent = {
  id: string
  owner: Wallet
  generation: number
  signing: Signing
  built: Built
  message: string
  seen: ChainView
}

/** The intent that a built transaction is recorded as. */
export const intentOf = (
  { now }: Pick<VaultDeps, 'now'>,
  { id, owner, generation, signing, built, message, seen }: BuiltIntent,
): NewIntent => ({
  id,
  owner,
  generation,
  signing,
  transaction: built.transaction,
  message,
  lastValidBlockHeight: seen.blockhash.lastValidBlockHeight,
  builtSlot: seen.slot,
  now,
})

/** Shows an intent that was built now as the caller gets it. */
export const newlyBuilt = (intent: NewIntent): BuiltTransaction =>
  builtOf({ ...intent, createdAt: intent.now, cosignedAt: null })

/** Shows a recorded intent as the caller gets it. */
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

/** A withdrawal that is asked for: of which account, what it holds, and who is to sign first. */
type Withdrawal = {
  kind: 'unstack' | 'leftovers'
  address: Address
  balance: Cred
  signing: Signing
}

/**
 * Finds an open withdrawal that still has most of its life and would still land: asking again soon gives the
 * same one, so that asking often piles nothing up.
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
