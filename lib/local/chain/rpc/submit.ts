import { base64 } from '@scure/base'
import * as v from 'valibot'
import type { Chain } from '../chain.ts'
import type { Execution } from '../execution.ts'
import { failureText } from '../failures.ts'
import { airdrop } from '../sending.ts'
import { decodeTransaction, type SignedTransaction } from '../transaction.ts'
import { AccountEntries, decodeText, encodeAccount, WireEncoding } from './accounts.ts'
import { invalidParams, RPC_CODE, RpcError } from './errors.ts'
import { innerInstructionsOf } from './landed.ts'
import {
  bankOf,
  Commitment,
  ContextConfig,
  ContextEntries,
  inContext,
  type Method,
  method,
  Pubkey,
  U64,
} from './params.ts'

const SendConfig = v.nullish(
  v.object({
    ...ContextEntries,
    encoding: WireEncoding,
    skipPreflight: v.nullish(v.boolean()),
    preflightCommitment: v.nullish(Commitment),
    maxRetries: v.nullish(U64),
  }),
)

const SimulateConfig = v.nullish(
  v.object({
    ...ContextEntries,
    encoding: WireEncoding,
    sigVerify: v.nullish(v.boolean()),
    replaceRecentBlockhash: v.nullish(v.boolean()),
    innerInstructions: v.nullish(v.boolean()),
    accounts: v.nullish(
      v.object({ addresses: v.array(Pubkey), encoding: v.nullish(AccountEntries.encoding) }),
    ),
  }),
)

/** https://solana.com/docs/rpc/http: methods for submitting transactions. */
export const submitMethods: Record<string, Method> = {
  /** With skipPreflight, silently drops a transaction that can't land, as a leader does. */
  sendTransaction: method(v.tuple([v.string(), SendConfig]), (chain, [text, options]) => {
    const transaction = decodeTransaction(decodeText(text, options?.encoding))
    if (!options?.skipPreflight) {
      const commitment = options?.preflightCommitment ?? options?.commitment
      const mode = { verifySignatures: true, anyBlockhash: false }
      const { execution } = bankOf(chain, { ...options, commitment }).simulate(transaction, mode)
      if (execution.failure) throw preflightFailure(execution)
    }
    chain.ledger.submit(transaction)
    return transaction.signature
  }),

  simulateTransaction: method(v.tuple([v.string(), SimulateConfig]), (chain, [text, options]) => {
    if (options?.sigVerify && options.replaceRecentBlockhash)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    return simulate(chain, decodeTransaction(decodeText(text, options?.encoding)), options)
  }),

  requestAirdrop: method(v.tuple([Pubkey, U64, ContextConfig]), async ({ ledger }, [pubkey, amount]) => {
    const { signature } = await airdrop(ledger, pubkey, amount).catch((error: Error) => {
      throw new RpcError(RPC_CODE.internal, `airdrop failed: ${error.message}`)
    })
    return signature
  }),
}

function simulate(
  chain: Chain,
  transaction: SignedTransaction,
  options: v.InferOutput<typeof SimulateConfig>,
) {
  const bank = bankOf(chain, options)
  const { execution, accounts } = bank.simulate(transaction, {
    verifySignatures: options?.sigVerify ?? false,
    anyBlockhash: options?.replaceRecentBlockhash ?? false,
  })
  if (execution.failure === 'SignatureFailure') throw preflightFailure(execution)
  const changed = new Map(accounts.map((account) => [account.address, account]))
  const config = { encoding: options?.accounts?.encoding ?? ('base64' as const) }
  const shown = options?.accounts?.addresses.map((pubkey) => {
    const account = changed.get(pubkey) ?? bank.account(pubkey)
    return execution.failure || !account?.lamports ? null : encodeAccount(bank, account, config)
  })
  return inContext(bank, {
    ...outcomeOf(execution),
    accounts: shown ?? null,
    innerInstructions: options?.innerInstructions ? innerInstructionsOf(execution.inner) : null,
    replacementBlockhash: options?.replaceRecentBlockhash ? bank.latestBlockhash : null,
  })
}

function preflightFailure(execution: Execution): RpcError {
  const { failure } = execution
  if (failure === null || failure === 'SignatureFailure')
    return new RpcError(RPC_CODE.signatureVerification, 'Transaction signature verification failure')
  return new RpcError(
    RPC_CODE.preflightFailure,
    `Transaction simulation failed: ${failureText(failure)}`,
    outcomeOf(execution),
  )
}

/** Returns RpcSimulateTransactionResult without the fields of simulations only. */
function outcomeOf({ failure, logs, unitsConsumed, returnData }: Execution) {
  return {
    accounts: null,
    err: failure,
    innerInstructions: null,
    logs,
    replacementBlockhash: null,
    returnData: returnData && {
      programId: returnData.programId,
      data: [base64.encode(returnData.data), 'base64'],
    },
    unitsConsumed,
  }
}
