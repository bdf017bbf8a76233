import type { Signing } from '../../../schema/values.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Instruction } from '../../solana/instruction.ts'
import type { Approval } from '../../solana/programs/token.ts'
import {
  type Built,
  compile,
  type Envelope,
  unsigned,
  withCosignature,
} from '../../transactions/cosigning/envelope.ts'
import { type Escrow, vaultAccount } from '../addresses.ts'

/**
 * Compiles a transaction: the compute budget, the instructions and the memo, with the owner as fee payer.
 * Signs it for the service unless the wallet signs first. A change of the message voids that signature.
 * @throws RangeError when it is too large for the network, or leaves no room for the additions of wallets
 * @throws TypeError when it needs a signature of anyone but the owner and the cosigner
 */
export async function cosign(
  cosigner: Signer,
  { signing, ...envelope }: Envelope & { signing?: Signing | undefined },
  instructions: Instruction[],
): Promise<Built> {
  if (signing === 'wallet_first') return unsigned(envelope, cosigner.address, instructions)
  const message = compile(envelope, cosigner.address, instructions)
  return withCosignature(envelope, message, await cosigner.sign(message))
}

/**
 * Makes the vault's approval by owner and cosigner.
 * @throws TypeError when the cosigner is not a signer of the vault
 */
export async function approvalOf(escrow: Escrow, cosigner: Signer): Promise<Approval> {
  const { authority, recovery } = escrow.keys
  if (cosigner.address !== authority && cosigner.address !== recovery) {
    throw new TypeError(`${cosigner.address} is not a signer`)
  }
  const { address } = await vaultAccount(escrow)
  return { owner: address, signers: [escrow.owner, cosigner.address] }
}
