import { Refusal } from '../../refusal.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { failureWords } from './failure-words.ts'
import { BLOCKHASH_BLOCKS } from './limits.ts'
import { expired } from './signed-once.ts'

/** What the chain says of a transaction before it is signed: at which slot, and why it would fail. */
type Trial = { slot: bigint; isValid: boolean; failure: string | undefined }

/**
 * Asks the chain whether a transaction would land as it is: a blockhash that it takes, an effect without
 * failure. One wave of two calls.
 */
export async function tryOut(rpc: Rpc, given: string, blockhash: string): Promise<Trial> {
  const [{ slot, isValid }, failure] = await Promise.all([
    rpc.isBlockhashValid(blockhash),
    rpc.simulate(given),
  ])
  return { slot, isValid, failure }
}

/** @throws Refusal transaction_failed when it would */
export function requireSuccess({ failure }: Trial): void {
  if (failure !== undefined) {
    throw new Refusal(
      'transaction_failed',
      `The network would refuse the transaction: ${failureWords(failure)}.`,
    )
  }
}

/** Reads the last block that can hold a transaction whose blockhash was valid in the trial. */
export const lastBlockOf = async (rpc: Rpc, { slot }: Trial): Promise<bigint> =>
  (await rpc.blockHeight(slot)) + BLOCKHASH_BLOCKS

/**
 * Hands a signed transaction to the network. Sending it twice lands it once.
 * @param signed Base64, and its owner's signature, which is its id on the network, Base58
 * @returns the signature
 * @throws Refusal transaction_expired, transaction_failed, dependency_unavailable
 */
export async function send(rpc: Rpc, signed: { transaction: string; signature: string }): Promise<string> {
  const sent = await rpc.send(signed.transaction)
  if ('signature' in sent) return sent.signature
  const { kind, reason } = sent.refused
  if (kind === 'already_landed') return signed.signature
  if (kind === 'expired') throw expired()
  throw new Refusal('transaction_failed', `The network refused the transaction: ${failureWords(reason)}.`)
}
