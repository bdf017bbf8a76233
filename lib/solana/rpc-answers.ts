import { base64 } from '@scure/base'
import * as v from 'valibot'
import { publicKeyBytes } from '../../schema/wallet.ts'
import type { Address } from './address.ts'
import type { ChainAccount } from './token-state.ts'

/* The parts of a node's answers that the service reads. */

/**
 * A transaction found by its signature. A block that is not final may still be dropped. `failure` is the
 * reason of the failure, as JSON.
 */
export type SignatureStatus = {
  hasFailed: boolean
  isFinal: boolean
  slot: bigint
  failure: string | undefined
}

export const U64 = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.transform((n) => BigInt(n)),
)

/**
 * Base58 of 32 bytes. It is a check, since safeParse does not catch an error in a transform, which becomes a
 * 500.
 */
const Key = v.pipe(
  v.string(),
  v.check((text) => publicKeyBytes(text) !== undefined),
)

export const LatestBlockhash = v.object({ value: v.object({ blockhash: Key, lastValidBlockHeight: U64 }) })

export const EpochInfo = v.pipe(
  v.object({ absoluteSlot: U64, blockHeight: U64 }),
  v.transform(({ absoluteSlot, blockHeight }) => ({ slot: absoluteSlot, height: blockHeight })),
)

export const BlockhashValid = v.object({ context: v.object({ slot: U64 }), value: v.boolean() })

export const Simulated = v.object({
  value: v.object({ err: v.nullable(v.unknown()) }),
})

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

export const Accounts = v.object({ context: v.object({ slot: U64 }), value: v.array(v.nullable(Account)) })

export const Signatures = v.array(
  v.object({
    signature: v.string(),
    slot: U64,
    err: v.nullable(v.unknown()),
    memo: v.nullish(v.string()),
    blockTime: v.nullish(v.number()),
  }),
)

const Status = v.object({
  slot: U64,
  err: v.nullable(v.unknown()),
  confirmationStatus: v.nullish(v.picklist(['processed', 'confirmed', 'finalized'])),
})
export const Statuses = v.object({ context: v.object({ slot: U64 }), value: v.array(v.nullable(Status)) })

/** Returns a transaction's status. One that is not confirmed yet counts as not found. */
export function statusOf(status: v.InferOutput<typeof Status> | null): SignatureStatus | undefined {
  if (!status || (status.confirmationStatus ?? 'processed') === 'processed') return undefined
  const { slot, err, confirmationStatus } = status
  const failure = err === null ? undefined : JSON.stringify(err)
  return { hasFailed: err !== null, isFinal: confirmationStatus === 'finalized', slot, failure }
}

export const LandedTransaction = v.object({ transaction: v.tuple([v.string(), v.literal('base64')]) })

export const RpcError = v.object({
  code: v.number(),
  message: v.string(),
  data: v.nullish(v.object({ err: v.unknown(), logs: v.nullish(v.array(v.string())) })),
})

export const Sent = v.union([v.object({ result: v.string() }), v.object({ error: RpcError })])

function isBase64(text: string): boolean {
  try {
    base64.decode(text)
    return true
  } catch {
    return false
  }
}
