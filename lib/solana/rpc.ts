import * as v from 'valibot'
import { ApiError } from '../api-error.ts'
import type { SubrequestCounter } from '../runtime/subrequests.ts'
import type { Address } from './address.ts'
import { postRpc } from './json-rpc.ts'
import { MULTISIG_BYTES } from './programs/token.ts'
import {
  Accounts,
  BlockhashValid,
  EpochInfo,
  LandedTransaction,
  LatestBlockhash,
  type RpcError,
  Sent,
  type SignatureStatus,
  Signatures,
  Simulated,
  Statuses,
  statusOf,
  U64,
} from './rpc-answers.ts'
import type { ChainAccount } from './token-state.ts'

/**
 * Two thirds of the stake voted for the block. No such block was ever rolled back; finality takes seconds
 * longer.
 */
const COMMITMENT = 'confirmed'

export type Blockhash = { blockhash: string; lastValidBlockHeight: bigint }

/** Accounts at one slot, in the order of the request; undefined for an account that does not exist. */
type AccountsAt = { slot: bigint; accounts: (ChainAccount | undefined)[] }

/** The reason why a validator did not accept a transaction. */
type SendRefusal = { kind: 'expired' | 'already_landed' | 'failed'; reason: string; logs: string[] }

/**
 * The bytes to read of an account by default. It is one more than the token program's longest account, so
 * that a longer one is not mistaken for it. An account may have ten million bytes, and strangers name
 * accounts.
 */
const ACCOUNT_BYTES = MULTISIG_BYTES + 1

/** The number of transactions on a page of `history`; a shorter page is the last. */
export const HISTORY_PAGE = 1_000
/** Each transaction has a memo of at most a kilobyte, or six if JSON escapes every byte. */
const HISTORY_BYTES = 8 * 1024 * 1024

/** A transaction in a block. A failed one has paid its fee, without any other effect. */
export type LandedSignature = {
  signature: string
  slot: bigint
  hasFailed: boolean
  memo: string | undefined
  /** The block's time, if the node knows it. */
  landedAt?: Date
}

/** The few calls of Solana's JSON-RPC API that the service needs. Each is one fetch. */
export type Rpc = {
  latestBlockhash(): Promise<Blockhash>
  /**
   * @param options.minSlot a slot that the node must have reached
   * @param options.maxBytes the bytes to read of each account's data; 356 by default
   * @param options.commitment `finalized` for the irreversible state, some seconds behind
   */
  accounts(
    addresses: Address[],
    options?: { minSlot?: bigint | undefined; maxBytes?: number; commitment?: 'finalized' },
  ): Promise<AccountsAt>
  /**
   * Lists the finalized transactions that name an address, including failed ones, the newest first, at most
   * HISTORY_PAGE.
   * @param before a transaction's signature: lists older transactions only
   */
  history(address: Address, minSlot: bigint, before?: string): Promise<LandedSignature[]>
  /**
   * Finds transactions by their signatures, at most 256, as far back as the node's history.
   * @returns the node's slot, and the status of each transaction that it found
   */
  statuses(signatures: string[]): Promise<{ slot: bigint; statuses: (SignatureStatus | undefined)[] }>
  /** Reads a finalized transaction, Base64; undefined if the node does not have it. */
  transaction(signature: string): Promise<string | undefined>
  /** Reads the first slot in the node's history. */
  firstSlot(): Promise<bigint>
  /** Reads the time of the first slot; undefined if the node does not know it. Two calls. */
  firstTime(): Promise<Date | undefined>
  /** Reads slot and height of the newest finalized block. */
  finalizedBlock(): Promise<{ slot: bigint; height: bigint }>
  /** Returns whether the network accepts a blockhash now, and the slot of this answer. */
  isBlockhashValid(blockhash: string): Promise<{ slot: bigint; isValid: boolean }>
  /** Reads the block height at this slot or later. */
  blockHeight(minSlot: bigint): Promise<bigint>
  /**
   * Runs a transaction (Base64) without checking its signatures or sending it.
   * @returns why it would fail, or undefined
   */
  simulate(transaction: string): Promise<string | undefined>
  /** Sends a signed transaction (Base64) to the network, which simulates it first. */
  send(transaction: string): Promise<{ signature: string } | { refused: SendRefusal }>
  /** Returns whether the node answers and is not behind. Never throws. */
  answers(): Promise<boolean>
}

/**
 * Makes a client of one RPC node. Every call except `answers` throws the ApiError `dependency_unavailable` if
 * the node does not answer in time or in the expected form.
 * @param subrequests counts every call
 */
export function createRpc(url: string, subrequests?: SubrequestCounter): Rpc {
  const post = (method: string, params: unknown[], maxBytes?: number) => {
    subrequests?.count('rpc')
    return send(url, method, params, maxBytes)
  }
  async function call<S extends v.GenericSchema>(
    method: string,
    params: unknown[],
    result: S,
    maxBytes?: number,
  ): Promise<v.InferOutput<S>> {
    const answer = v.safeParse(v.object({ result }), await post(method, params, maxBytes))
    if (!answer.success) throw unavailable(`${method} had an unexpected answer`)
    return answer.output.result
  }
  const history: Rpc['history'] = async (address, minSlot, before) => {
    const config = {
      commitment: 'finalized',
      minContextSlot: Number(minSlot),
      limit: HISTORY_PAGE,
      ...(before === undefined ? {} : { before }),
    }
    const signatures = await call('getSignaturesForAddress', [address, config], Signatures, HISTORY_BYTES)
    return signatures.map(({ signature, slot, err, memo, blockTime }) => ({
      signature,
      slot,
      hasFailed: err !== null,
      memo: memo ?? undefined,
      ...(typeof blockTime === 'number' ? { landedAt: new Date(blockTime * 1_000) } : {}),
    }))
  }
  const firstSlot = () => call('getFirstAvailableBlock', [], U64)
  return {
    async latestBlockhash() {
      const { value } = await call('getLatestBlockhash', [{ commitment: COMMITMENT }], LatestBlockhash)
      return value
    },
    async accounts(addresses, { minSlot, maxBytes = ACCOUNT_BYTES, commitment } = {}) {
      const config = {
        commitment: commitment ?? COMMITMENT,
        encoding: 'base64',
        dataSlice: { offset: 0, length: maxBytes },
        ...(minSlot === undefined ? {} : { minContextSlot: Number(minSlot) }),
      }
      const { context, value } = await call('getMultipleAccounts', [addresses, config], Accounts)
      if (value.length !== addresses.length) throw unavailable('getMultipleAccounts left accounts out')
      return { slot: context.slot, accounts: value.map((account) => account ?? undefined) }
    },
    history,
    async statuses(signatures) {
      const params = [signatures, { searchTransactionHistory: true }]
      const { context, value } = await call('getSignatureStatuses', params, Statuses)
      if (value.length !== signatures.length) throw unavailable('getSignatureStatuses left some out')
      return { slot: context.slot, statuses: value.map(statusOf) }
    },
    async transaction(signature) {
      const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 1 }
      const found = await call('getTransaction', [signature, config], v.nullable(LandedTransaction))
      return found?.transaction[0]
    },
    firstSlot,
    async firstTime() {
      const slot = await firstSlot()
      // The chain's first block has no time.
      if (slot === 0n) return new Date(0)
      const seconds = await call('getBlockTime', [Number(slot)], v.nullable(v.number()))
      return seconds === null ? undefined : new Date(seconds * 1_000)
    },
    async finalizedBlock() {
      return call('getEpochInfo', [{ commitment: 'finalized' }], EpochInfo)
    },
    async isBlockhashValid(blockhash) {
      const config = { commitment: COMMITMENT }
      const { context, value } = await call('isBlockhashValid', [blockhash, config], BlockhashValid)
      return { slot: context.slot, isValid: value }
    },
    blockHeight: (minSlot) =>
      call('getBlockHeight', [{ commitment: COMMITMENT, minContextSlot: Number(minSlot) }], U64),
    async simulate(transaction) {
      const config = { encoding: 'base64', commitment: COMMITMENT, sigVerify: false }
      const { value } = await call('simulateTransaction', [transaction, config], Simulated)
      return value.err === null ? undefined : JSON.stringify(value.err)
    },
    async send(transaction) {
      const params = [transaction, { encoding: 'base64', preflightCommitment: COMMITMENT }]
      const answer = v.safeParse(Sent, await post('sendTransaction', params))
      if (!answer.success) throw unavailable('sendTransaction had an unexpected answer')
      const { output } = answer
      return 'result' in output ? { signature: output.result } : { refused: refusalOf(output.error) }
    },
    answers: () =>
      call('getHealth', [], v.literal('ok')).then(
        () => true,
        () => false,
      ),
  }
}

async function send(url: string, method: string, params: unknown[], maxBytes?: number): Promise<unknown> {
  try {
    return await postRpc(url, method, params, maxBytes === undefined ? {} : { maxBytes })
  } catch (cause) {
    throw unavailable(`${method} was not answered`, cause)
  }
}

/**
 * Makes the error for a node that did not answer. `reason` is for the log, and never has the node's URL.
 */
const unavailable = (reason: string, cause?: unknown) =>
  new ApiError('dependency_unavailable', 'The Solana network did not answer; please try again.', {
    retryAfterSeconds: 2,
    cause: new Error(reason, { cause }),
  })

/** JSON-RPC error codes of a validator (solana-rpc-client-api, custom_error.rs). */
const PREFLIGHT_FAILURE = -32_002

function refusalOf({ code, message, data }: v.InferOutput<typeof RpcError>): SendRefusal {
  const error = data?.err
  const logs = data?.logs ?? []
  if (error === 'BlockhashNotFound') return { kind: 'expired', reason: message, logs }
  if (error === 'AlreadyProcessed') return { kind: 'already_landed', reason: message, logs }
  if (code === PREFLIGHT_FAILURE || error !== undefined) return { kind: 'failed', reason: message, logs }
  throw unavailable(`sendTransaction was rejected with ${code}`)
}
