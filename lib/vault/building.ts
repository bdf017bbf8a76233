import { v7 as uuidv7 } from 'uuid'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { VaultDeps } from './deps.ts'
import type { Built, Network } from './escrow/cosign.ts'
import type { NewIntent } from './intent-queries.ts'
import { TRANSACTION_LIFETIME_MS } from './limits.ts'
import type { ChainView } from './look-up.ts'
import type { Intent, IntentRow } from './queries.ts'

/* What stack, claim and unstack have in common: the intent's id, what the network asks, and recording. */

/** A transaction that waits for its owner's signature, as the caller gets it. */
export type BuiltTransaction = {
  id: string
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

/** What a transaction was built from and for, and what its owner is told of it. */
type BuiltIntent = {
  id: string
  owner: Wallet
  generation: number
  built: Built
  message: string
  seen: ChainView
}

/** The intent that a built transaction is recorded as. */
export const intentOf = (
  { now }: Pick<VaultDeps, 'now'>,
  { id, owner, generation, built, message, seen }: BuiltIntent,
): NewIntent => ({
  id,
  owner,
  generation,
  transaction: built.transaction,
  message,
  lastValidBlockHeight: seen.blockhash.lastValidBlockHeight,
  builtSlot: seen.slot,
  now,
})

/**
 * Records a built transaction as an intent.
 * @param insert the statement of its kind; says whether it has recorded it
 * @returns the transaction as the caller gets it, or undefined when the statement's guards refused it
 */
export async function recordIntent(
  deps: Pick<VaultDeps, 'now'>,
  built: BuiltIntent,
  insert: (intent: NewIntent) => Promise<boolean>,
): Promise<BuiltTransaction | undefined> {
  const intent = intentOf(deps, built)
  return (await insert(intent)) ? builtOf({ ...intent, createdAt: deps.now }) : undefined
}

/** Shows a recorded intent as the caller gets it. */
export const builtOf = (
  intent: Pick<IntentRow, 'id' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'createdAt'>,
): BuiltTransaction => ({
  id: intent.id,
  transaction: intent.transaction,
  message: intent.message,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  expiresAt: new Date(intent.createdAt.getTime() + TRANSACTION_LIFETIME_MS),
})

/**
 * Whether an open withdrawal still has most of its life and would still land: asking again soon gives the
 * same one, so that asking often piles nothing up.
 */
export const isFreshWithdrawal = (
  intent: Intent,
  kind: 'unstack' | 'leftovers',
  address: Address,
  held: Cred,
  now: Date,
): boolean =>
  intent.kind === kind &&
  intent.legs.some((leg) => leg.address === address && leg.balanceBefore === held) &&
  now.getTime() - intent.createdAt.getTime() < TRANSACTION_LIFETIME_MS / 3
