import { type Lamports, lamports } from '../../../schema/amounts.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Address } from '../../solana/address.ts'
import { networkFee, setComputeUnitLimit, setComputeUnitPrice } from '../../solana/compute-budget.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { memo } from '../../solana/memo.ts'
import { compileMessage } from '../../solana/message.ts'
import type { Signer } from '../../solana/signer.ts'
import type { Approval } from '../../solana/token.ts'
import {
  encodeTransaction,
  MAX_TRANSACTION_BYTES,
  SIGNATURE_BYTES,
  transactionSize,
} from '../../solana/transaction.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'

/**
 * Nearly twice what the most expensive transaction uses: a claim of eleven positions into an account to be
 * created, 103,205 units on SPL Token 3.5.0 (24,366 on p-token).
 */
export const COMPUTE_UNIT_LIMIT = 200_000

/**
 * What a transaction takes from the network: how long it lives, and the priority fee in micro-lamports per
 * unit.
 */
export type Network = { blockhash: string; computeUnitPrice: bigint }

/**
 * How large a transaction may be that a wallet signs first: 200 bytes are left for what wallets add, the four
 * guards of Phantom's and the address of their program among it.
 */
const MAX_WALLET_FIRST_BYTES = MAX_TRANSACTION_BYTES - 200

/** A transaction that its owner has not signed. */
export type Built = {
  /** Base64 of the wire form; the owner's slot, the first, is empty; of wallet_first the service's, too. */
  transaction: string
  /** What the owner pays the network for it, rents aside. */
  fee: Lamports
}

/** Who a transaction is for, who signs it first, and what it takes from the network and says. */
type Frame = { owner: Address; signing?: Signing | undefined; network: Network; text: string }

/**
 * Puts the budget before and the memo after the instructions, compiles them with the owner as fee payer, and
 * signs for the service unless the wallet signs first. Once it has signed, the message can't be altered
 * without losing that signature.
 * @throws RangeError when it is too large for the network, or for what wallets add
 * @throws TypeError when anyone but the owner and the cosigner would have to sign
 */
export async function cosign(cosigner: Signer, frame: Frame, instructions: Instruction[]): Promise<Built> {
  const message = compile(cosigner.address, frame, instructions, [cosigner.address])
  const isFirst = frame.signing !== 'wallet_first'
  return built(frame, message, [isFirst ? await cosigner.sign(message) : UNSIGNED])
}

/**
 * The same for a transaction that its owner alone signs, always first.
 * @throws RangeError, TypeError as cosign
 */
export const forOwnerAlone = (frame: Omit<Frame, 'signing'>, instructions: Instruction[]): Built =>
  built({ ...frame, signing: 'wallet_first' }, compile(frame.owner, frame, instructions, []), [])

const UNSIGNED = new Uint8Array(SIGNATURE_BYTES)

function compile(
  memoSigner: Address,
  { owner, network, text }: Frame,
  instructions: Instruction[],
  cosigners: Address[],
): Uint8Array<ArrayBuffer> {
  const { bytes, signers } = compileMessage(
    owner,
    [
      setComputeUnitLimit(COMPUTE_UNIT_LIMIT),
      setComputeUnitPrice(network.computeUnitPrice),
      ...instructions,
      memo(text, memoSigner),
    ],
    network.blockhash,
  )
  const expected = [owner, ...cosigners].join(', ')
  if (signers.join(', ') === expected) return bytes
  throw new TypeError(`signers must be ${expected}, not ${signers.join(', ')}`)
}

function built(
  { network, signing }: Frame,
  message: Uint8Array<ArrayBuffer>,
  cosignatures: Uint8Array<ArrayBuffer>[],
): Built {
  const signatures = [UNSIGNED, ...cosignatures]
  const size = transactionSize({ signatures, message })
  const most = signing === 'wallet_first' ? MAX_WALLET_FIRST_BYTES : MAX_TRANSACTION_BYTES
  if (size > most) throw new RangeError(`${size} bytes exceed the ${most} that are allowed`)
  return {
    transaction: encodeTransaction({ signatures, message }),
    fee: lamports(networkFee(signatures.length, COMPUTE_UNIT_LIMIT, network.computeUnitPrice)),
  }
}

/**
 * Makes the vault's approval by owner and cosigner.
 * @throws TypeError when the cosigner is no signer of the vault
 */
export async function approvalOf(escrow: Escrow, cosigner: Signer): Promise<Approval> {
  const { authority, recovery } = escrow.keys
  if (cosigner.address !== authority && cosigner.address !== recovery) {
    throw new TypeError(`${cosigner.address} is no signer of generation ${escrow.keys.generation}`)
  }
  const { address } = await vaultAccount(escrow)
  return { owner: address, signers: [escrow.owner, cosigner.address] }
}
