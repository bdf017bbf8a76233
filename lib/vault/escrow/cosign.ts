import { type Lamports, lamports } from '../../../schema/amounts.ts'
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

/** A transaction that lacks nothing but its owner's signature, unless it was left unsigned. */
export type Built = {
  /** Base64 of the wire form; the owner's slot, the first, is empty. */
  transaction: string
  /** What the owner pays the network for it, rents aside. */
  fee: Lamports
}

/** Who a transaction is for, and what it takes from the network and says. */
type Frame = { owner: Address; network: Network; text: string }

/**
 * Puts the budget before and the memo after the instructions, compiles them with the owner as fee payer, and
 * signs for the service. From here on the message can't be altered without losing that signature.
 * @throws RangeError when it is too large for the network
 * @throws TypeError when anyone but the owner and the cosigner would have to sign
 */
export async function cosign(cosigner: Signer, frame: Frame, instructions: Instruction[]): Promise<Built> {
  const message = compile(cosigner.address, frame, instructions)
  return built(frame, message, await cosigner.sign(message))
}

/**
 * The same with the cosigner's slot left empty: nothing that the network takes.
 * @throws RangeError, TypeError as cosign
 */
export const leaveUnsigned = (cosigner: Signer, frame: Frame, instructions: Instruction[]): Built =>
  built(frame, compile(cosigner.address, frame, instructions), new Uint8Array(SIGNATURE_BYTES))

function compile(
  cosigner: Address,
  { owner, network, text }: Frame,
  instructions: Instruction[],
): Uint8Array<ArrayBuffer> {
  const { bytes, signers } = compileMessage(
    owner,
    [
      setComputeUnitLimit(COMPUTE_UNIT_LIMIT),
      setComputeUnitPrice(network.computeUnitPrice),
      ...instructions,
      memo(text, cosigner),
    ],
    network.blockhash,
  )
  if (signers.length === 2 && signers[1] === cosigner) return bytes
  throw new TypeError(`signers must be the owner and ${cosigner}, not ${signers.join(', ')}`)
}

function built(
  { network }: Frame,
  message: Uint8Array<ArrayBuffer>,
  cosignature: Uint8Array<ArrayBuffer>,
): Built {
  const signatures = [new Uint8Array(SIGNATURE_BYTES), cosignature]
  const size = transactionSize({ signatures, message })
  if (size > MAX_TRANSACTION_BYTES)
    throw new RangeError(`${size} bytes exceed the network's ${MAX_TRANSACTION_BYTES}`)
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
