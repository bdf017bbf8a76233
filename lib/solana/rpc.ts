import * as v from 'valibot'
import type { Meter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
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
 * Voted for by two thirds of the stake. No such block was ever rolled back, and finality comes seconds later.
 */
const COMMITMENT = 'confirmed'

export type Blockhash = { blockhash: string; lastValidBlockHeight: bigint }

/** Accounts at one slot, in the order of the request; undefined for an account that does not exist. */
type AccountsAt = { slot: bigint; accounts: (ChainAccount | undefined)[] }

/** Why a validator did not accept a transaction. */
type SendRefusal = { kind: 'expired' | 'already_landed' | 'failed'; reason: string; logs: string[] }

/**
 * How much is read of an account unless the caller names more: one byte more than the longest that the token
 * program has, so that longer accounts are not taken for these. An account may hold ten million bytes, and
 * strangers name accounts.
 */
const ACCOUNT_BYTES = MULTISIG_BYTES + 1

/** How many transactions a call of `history` lists; a shorter list is the last. */
export const HISTORY_PAGE = 1_000
/** With each transaction comes its memo: a kilobyte at most, six times that where JSON escapes every byte. */
const HISTORY_BYTES = 8 * 1024 * 1024

/** A transaction that a block holds. One that failed has paid its fee and done nothing else. */
export type LandedSignature = {
  signature: string
  slot: bigint
  hasFailed: boolean
  memo: string | undefined
  /** When the block was made, where the node knows. */
  landedAt?: Date
}

/** The few calls of Solana's JSON-RPC API that the service needs. Each is one fetch. */
export type Rpc = {
  latestBlockhash(): Promise<Blockhash>
  /**
   * @param options.minSlot a slot that the node must have reached
   * @param options.maxBytes how many bytes of each account's data are read: 356 by default
   * @param options.commitment `finalized` for what can't be undone any more, some seconds behind
   */
  accounts(
    addresses: Address[],
    options?: { minSlot?: bigint | undefined; maxBytes?: number; commitment?: 'finalized' },
  ): Promise<AccountsAt>
  /**
   * Lists the finalized transactions that name an address, failed ones too, the newest first, at most
   * HISTORY_PAGE.
   * @param before a transaction's signature: those older than it
   */
  history(address: Address, minSlot: bigint, before?: string): Promise<LandedSignature[]>
  /**
   * Looks for transactions by their signatures, at most 256, as far back as the node knows.
   * @returns the slot that the node had reached; of each that it found, whether it failed
   */
  statuses(signatures: string[]): Promise<{ slot: bigint; statuses: (SignatureStatus | undefined)[] }>
  /** Reads a finalized transaction, Base64; undefined when the node does not have it. */
  transaction(signature: string): Promise<string | undefined>
  /** Reads the first slot that the node has not forgotten. */
  firstSlot(): Promise<bigint>
  /** Reads the time of that slot; undefined where the node does not tell. Two calls. */
  firstTime(): Promise<Date | undefined>
  /** Reads slot and height of the newest finalized block. */
  finalizedBlock(): Promise<{ slot: bigint; height: bigint }>
  /** Tells whether a blockhash is one that the network takes now, and at which slot that was. */
  isBlockhashValid(blockhash: string): Promise<{ slot: bigint; isValid: boolean }>
  /** Reads the block height at this slot or later. */
  blockHeight(minSlot: bigint): Promise<bigint>
  /**
   * Runs a transaction (Base64) whose signatures are not looked at, without sending it.
   * @returns why it would fail, or undefined
   */
  simulate(transaction: string): Promise<string | undefined>
  /** Sends a signed transaction (Base64) to the network, which simulates it first. */
  send(transaction: string): Promise<{ signature: string } | { refused: SendRefusal }>
  /** Tells whether the node answers and is not behind. This call never throws. */
  answers(): Promise<boolean>
}

/**
 * Makes a client of one RPC node. Every call but `answers` throws the Refusal dependency_unavailable when the
 * node does not answer in time or in the expected form.
 * @param meter counts every call
 */
export function createRpc(url: string, meter?: Meter): Rpc {
  const post = (method: string, params: unknown[], maxBytes?: number) => {
    meter?.count('rpc')
    return send(url, method, params, maxBytes)
  }
  async function call<S extends v.GenericSchema>(
    method: string,
    params: unknown[],
    result: S,
    maxBytes?: number,
  ): Promise<v.InferOutput<S>> {
    const answer = v.safeParse(v.object({ result }), await post(method, params, maxBytes))
    if (!answer.success) throw unavailable(`${method} had an answer of another form`)
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
      // The first block of all has no time.
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
      if (!answer.success) throw unavailable('sendTransaction had an answer of another form')
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
 * Makes the refusal for a node that did not answer. `reason` is for the log and never holds the node's URL.
 */
const unavailable = (reason: string, cause?: unknown) =>
  new Refusal('dependency_unavailable', 'The Solana network did not answer; please try again.', {
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
  throw unavailable(`sendTransaction was refused with ${code}`)
}
