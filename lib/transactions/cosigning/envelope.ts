import { type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { compileMessage } from '../../solana/message.ts'
import { networkFee, setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts'
import { memo } from '../../solana/programs/memo.ts'
import {
  encodeTransaction,
  MAX_TRANSACTION_BYTES,
  SIGNATURE_BYTES,
  transactionSize,
} from '../../solana/transaction.ts'

/**
 * Nearly twice what the most expensive transaction uses: a claim of eleven positions into an account to be
 * created, 103,205 units on SPL Token 3.5.0 (24,366 on p-token).
 */
export const COMPUTE_UNIT_LIMIT = 200_000

/** A blockhash, which limits a transaction's life, and the priority fee in micro-lamports per unit. */
export type Network = { blockhash: string; computeUnitPrice: bigint }

/**
 * The largest transaction that a wallet signs first. It leaves wallets 200 bytes for their additions, such as
 * Phantom's four guards and the address of their program.
 */
export const MAX_WALLET_FIRST_BYTES = MAX_TRANSACTION_BYTES - 200

/** A transaction that its owner has not signed. */
export type Built = {
  /** Base64 of the wire form. The owner's slot, the first, is empty; of `wallet_first` the service's, too. */
  transaction: string
  /** What the owner pays the network, without rents. */
  fee: Lamports
}

/** A transaction's owner, its blockhash and price of compute units, and the text of its memo. */
export type Envelope = { owner: Address; network: Network; text: string }

type Bytes = Uint8Array<ArrayBuffer>

const UNSIGNED = new Uint8Array(SIGNATURE_BYTES)

/**
 * Puts the budget before and the memo after the instructions, and compiles them with the owner as fee payer.
 * @param cosigner signs the memo and the transaction; undefined if the owner signs alone
 * @throws TypeError if another account would have to sign
 */
export function compile(
  { owner, network, text }: Envelope,
  cosigner: Address | undefined,
  instructions: Instruction[],
): Bytes {
  const { bytes, signers } = compileMessage(
    owner,
    [
      setComputeUnitLimit(COMPUTE_UNIT_LIMIT),
      setComputeUnitPrice(network.computeUnitPrice),
      ...instructions,
      memo(text, cosigner ?? owner),
    ],
    network.blockhash,
  )
  const expected = [owner, ...(cosigner ? [cosigner] : [])].join(', ')
  if (signers.join(', ') === expected) return bytes
  throw new TypeError(`signers must be ${expected}, not ${signers.join(', ')}`)
}

/**
 * Builds a transaction that the service has signed and the owner has not.
 * @throws RangeError when it is too large for the network
 */
export const withCosignature = ({ network }: Envelope, message: Bytes, cosignature: Bytes): Built =>
  built(network, message, [UNSIGNED, cosignature], MAX_TRANSACTION_BYTES)

/**
 * Builds a transaction that nobody has signed: the owner's wallet is to sign it first.
 * @throws RangeError when it is too large for what wallets add
 * @throws TypeError as compile
 */
export const unsigned = (envelope: Envelope, cosigner: Address, instructions: Instruction[]): Built =>
  built(
    envelope.network,
    compile(envelope, cosigner, instructions),
    [UNSIGNED, UNSIGNED],
    MAX_WALLET_FIRST_BYTES,
  )

/**
 * Builds an unsigned transaction that only its owner signs.
 * @throws RangeError, TypeError as unsigned
 */
export const forOwnerAlone = (envelope: Envelope, instructions: Instruction[]): Built =>
  built(envelope.network, compile(envelope, undefined, instructions), [UNSIGNED], MAX_WALLET_FIRST_BYTES)

function built(network: Network, message: Bytes, signatures: Bytes[], most: number): Built {
  const size = transactionSize({ signatures, message })
  if (size > most) throw new RangeError(`${size} bytes exceed the ${most} that are allowed`)
  return {
    transaction: encodeTransaction({ signatures, message }),
    fee: lamports(networkFee(signatures.length, COMPUTE_UNIT_LIMIT, network.computeUnitPrice)),
  }
}
