import { v7 as uuidv7 } from 'uuid'
import { formatAmount, type Lamports } from '../../../schema/amounts.ts'
import type { PaymentKind } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { ChainView } from '../../solana/look-up.ts'
import type { Built, Network } from '../../transactions/cosigning/envelope.ts'
import { deadlineOf } from '../../transactions/relay/limits.ts'
import type { BuildDeps } from '../chain-deps.ts'
import type { NewIntent } from './intent-queries.ts'

/* The common part of all payment transactions: their id, their envelope, and the answer to the caller. */

/** A transaction that waits for its wallet's signature, as returned to the caller. */
export type BuiltPayment = {
  id: string
  kind: PaymentKind
  transaction: string
  message: string
  lastValidBlockHeight: bigint
  expiresAt: Date
}

/** Makes a new intent's id. Ids sort by the time of building. */
export const newIntentId = ({ now }: Pick<BuildDeps, 'now'>): string => uuidv7({ msecs: now.getTime() })

/** Returns the network's part of a transaction: the newest blockhash, and the configured priority fee. */
export const networkOf = (
  { computeUnitPrice }: Pick<BuildDeps, 'computeUnitPrice'>,
  { blockhash }: ChainView,
): Network => ({ blockhash: blockhash.blockhash, computeUnitPrice })

/** Describes the cost of signing: the network fee, and the rent of an account that it creates. */
export const costWords = ({ fee }: Pick<Built, 'fee'>, rent?: { lamports: Lamports; of: string }): string =>
  `It costs ${formatAmount(fee)} SOL network fee${rent ? ` and ${formatAmount(rent.lamports)} SOL rent${rent.of}` : ''}.`

/** Returns the rent of the wallet's token account, if the transaction has to create it. */
export const rentToBePaid = (tokens: 'open' | 'absent', { rents }: ChainView) =>
  tokens === 'open' ? undefined : { lamports: rents.tokenAccount, of: ' of your new token account' }

/** Makes the intent that records a built transaction. */
export const intentOf = (
  { now }: Pick<BuildDeps, 'now'>,
  {
    id,
    wallet,
    keyVersion,
    built,
    message,
    seen,
  }: { id: string; wallet: Wallet; keyVersion: number; built: Built; message: string; seen: ChainView },
): NewIntent => ({
  id,
  wallet,
  keyVersion,
  transaction: built.transaction,
  message: `${message} Sign it and send it to POST /payments/transactions within five minutes.`,
  lastValidBlockHeight: seen.blockhash.lastValidBlockHeight,
  builtSlot: seen.slot,
  now,
})

/** Makes the answer for an intent that was built now. */
export const newlyBuilt = (kind: PaymentKind, intent: NewIntent): BuiltPayment => ({
  id: intent.id,
  kind,
  transaction: intent.transaction,
  message: intent.message,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  expiresAt: deadlineOf(intent.now),
})
