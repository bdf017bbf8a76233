import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit'
import { failureText } from './failures.ts'
import type { Landed } from './history.ts'
import type { Ledger } from './ledger.ts'
import { decodeTransaction } from './transaction.ts'

/**
 * Signs and lands a transaction of the chain's own making (faucet, genesis). Signers other than the payer are
 * taken from the instructions' accounts.
 * @throws Error saying why when it does not land or lands with a failure
 */
export async function sendInstructions(
  ledger: Ledger,
  payer: TransactionSigner,
  instructions: readonly Instruction[],
): Promise<Landed> {
  const signed = await signInstructions(payer, instructions, ledger.newest.latestBlockhash)
  const result = ledger.submit(decodeTransaction(Uint8Array.from(getTransactionEncoder().encode(signed))))
  const failure = 'dropped' in result ? result.dropped : result.landed.failure
  if ('dropped' in result || failure) throw new Error(failureText(failure ?? 'CommitCancelled'))
  return result.landed
}

/**
 * Makes a legacy transaction of instructions, signed by the payer and by the signers among their accounts.
 */
export function signInstructions(
  payer: TransactionSigner,
  instructions: readonly Instruction[],
  { blockhash, lastValidBlockHeight }: { blockhash: string; lastValidBlockHeight: bigint },
) {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight }
  return pipe(
    createTransactionMessage({ version: 'legacy' }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  )
}
