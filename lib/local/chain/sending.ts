import { createHash, randomUUID } from 'node:crypto'
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Landed } from './execution.ts'
import { failureText } from './failures.ts'
import type { Ledger } from './ledger.ts'
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from './programs.ts'
import { decodeTransaction } from './transaction.ts'

/** 500 million SOL, as in a test validator's faucet. */
const FAUCET_LAMPORTS = 500_000_000_000_000_000n

/** Makes the faucet's key, the same in every run and public: it protects nothing of value. */
function faucet(): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(
    createHash('sha256').update('agentcred local faucet').digest(),
  )
}

/** Gives a new chain its faucet. */
export async function fundFaucet(ledger: Ledger): Promise<void> {
  ledger.setAccount({
    address: (await faucet()).address,
    lamports: FAUCET_LAMPORTS,
    programAddress: SYSTEM_PROGRAM,
    executable: false,
    space: 0n,
    data: new Uint8Array(),
  })
}

/**
 * Transfers lamports from the faucet in a separate transaction.
 * @throws Error if it fails, for instance because a new account would get less than its rent
 */
export async function airdrop(ledger: Ledger, to: Address, amount: bigint): Promise<Landed> {
  const source = await faucet()
  // The memo makes two airdrops of one amount in one slot different messages: equal ones land once.
  const memo = { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(`airdrop ${randomUUID()}`) }
  const transfer = getTransferSolInstruction({ source, destination: to, amount: lamports(amount) })
  return sendInstructions(ledger, source, [transfer, memo])
}

/**
 * Signs and lands a transaction of the platform itself (faucet, genesis). Signers other than the payer come
 * from the instructions' accounts.
 * @throws Error with the reason if it does not land, or lands with a failure
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
 * Makes a legacy transaction, signed by the payer and by the signers in the instructions' accounts.
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
