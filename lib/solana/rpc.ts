import { base64 } from '@scure/base'
import * as v from 'valibot'
import { publicKeyBytes } from '../../schema/wallet.ts'
import type { Meter } from '../meter.ts'
import { Refusal } from '../refusal.ts'
import type { Address } from './address.ts'
import { postRpc } from './json-rpc.ts'
import type { ChainAccount } from './token-state.ts'

/**
 * What landed by majority vote; a block confirmed has never been rolled back, and it is seconds ahead of
 * finality.
 */
const COMMITMENT = 'confirmed'

export type Blockhash = { blockhash: string; lastValidBlockHeight: bigint }

/** Accounts as of one slot, in the order asked for; absent ones are undefined. */
type AccountsAt = { slot: bigint; accounts: (ChainAccount | undefined)[] }

/** What a validator answered to a transaction that it would not take. */
type SendRefusal = { kind: 'expired' | 'already_landed' | 'failed'; reason: string; logs: string[] }

/** The few calls of Solana's JSON-RPC API that the service needs. Each is one fetch. */
export type Rpc = {
  latestBlockhash(): Promise<Blockhash>
  /** @param minSlot the node must have reached it */
  accounts(addresses: Address[], minSlot?: bigint): Promise<AccountsAt>
  /** The newest block that can't be undone: its slot, and its height. */
  finalizedBlock(): Promise<{ slot: bigint; height: bigint }>
  /** Hands a signed transaction (Base64) to the network, after its own rehearsal. */
  send(transaction: string): Promise<{ signature: string } | { refused: SendRefusal }>
  /** Whether the node answers and is not behind. False whatever the reason: this one call never throws. */
  answers(): Promise<boolean>
}

/**
 * A client of one RPC node.
 * @param meter counts every call
 * @throws Refusal dependency_unavailable from every other call when the node does not answer in time or in
 *   kind
 */
export function createRpc(url: string, meter?: Meter): Rpc {
  const post = (method: string, params: unknown[]) => {
    meter?.count('rpc')
    return send(url, method, params)
  }
  async function call<S extends v.GenericSchema>(
    method: string,
    params: unknown[],
    result: S,
  ): Promise<v.InferOutput<S>> {
    const answer = v.safeParse(v.object({ result }), await post(method, params))
    if (!answer.success) throw unavailable(`${method} was not answered as it should be`)
    return answer.output.result
  }
  return {
    async latestBlockhash() {
      const { value } = await call('getLatestBlockhash', [{ commitment: COMMITMENT }], LatestBlockhash)
      return value
    },
    async accounts(addresses, minSlot) {
      const config = {
        commitment: COMMITMENT,
        encoding: 'base64',
        ...(minSlot === undefined ? {} : { minContextSlot: Number(minSlot) }),
      }
      const { context, value } = await call('getMultipleAccounts', [addresses, config], Accounts)
      if (value.length !== addresses.length) throw unavailable('getMultipleAccounts left accounts out')
      return { slot: context.slot, accounts: value.map((account) => account ?? undefined) }
    },
    async finalizedBlock() {
      return call('getEpochInfo', [{ commitment: 'finalized' }], EpochInfo)
    },
    async send(transaction) {
      const params = [transaction, { encoding: 'base64', preflightCommitment: COMMITMENT }]
      const answer = v.safeParse(Sent, await post('sendTransaction', params))
      if (!answer.success) throw unavailable('sendTransaction was not answered as it should be')
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

async function send(url: string, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await postRpc(url, method, params)
  } catch (cause) {
    throw unavailable(`${method} was not answered`, cause)
  }
}

/**
 * The network is not there: the caller may try again. `reason` is for the log and never holds the node's URL.
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

const U64 = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.transform((n) => BigInt(n)),
)

/** Base58 of 32 bytes. What throws in a transform would leave safeParse as a 500. */
const Key = v.pipe(
  v.string(),
  v.check((text) => publicKeyBytes(text) !== undefined),
)

const LatestBlockhash = v.object({ value: v.object({ blockhash: Key, lastValidBlockHeight: U64 }) })

const EpochInfo = v.pipe(
  v.object({ absoluteSlot: U64, blockHeight: U64 }),
  v.transform(({ absoluteSlot, blockHeight }) => ({ slot: absoluteSlot, height: blockHeight })),
)

const Account = v.pipe(
  v.object({
    owner: Key,
    lamports: U64,
    data: v.tuple([v.pipe(v.string(), v.check(isBase64)), v.literal('base64')]),
  }),
  v.transform(
    ({ owner, lamports, data: [text] }): ChainAccount => ({
      owner: owner as Address,
      lamports,
      data: base64.decode(text),
    }),
  ),
)

const Accounts = v.object({ context: v.object({ slot: U64 }), value: v.array(v.nullable(Account)) })

const RpcError = v.object({
  code: v.number(),
  message: v.string(),
  data: v.nullish(v.object({ err: v.unknown(), logs: v.nullish(v.array(v.string())) })),
})

const Sent = v.union([v.object({ result: v.string() }), v.object({ error: RpcError })])

function isBase64(text: string): boolean {
  try {
    base64.decode(text)
    return true
  } catch {
    return false
  }
}
