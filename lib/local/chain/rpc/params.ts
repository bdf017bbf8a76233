import { base58 } from '@scure/base'
import { address } from '@solana/kit'
import * as v from 'valibot'
import type { Bank } from '../bank.ts'
import type { Chain } from '../chain.ts'
import type { Certainty } from '../ledger.ts'
import { invalidParams, RPC_CODE, RpcError } from './errors.ts'

/** The Agave release of LiteSVM 1.5's runtime; sent as apiVersion and by getVersion. */
export const API_VERSION = '4.2.0'

export const U64_MAX = 2n ** 64n - 1n

/** base58 of exactly `bytes` bytes. */
function base58Of(bytes: number) {
  return v.pipe(
    v.string(),
    v.maxLength(90, 'Invalid param: WrongSize'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const decoded = decodeBase58(dataset.value)
      if (!decoded) addIssue({ message: 'Invalid param: Invalid' })
      else if (decoded.length !== bytes) addIssue({ message: 'Invalid param: WrongSize' })
    }),
  )
}

function decodeBase58(text: string): Uint8Array | null {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

export const Pubkey = v.pipe(
  base58Of(32),
  v.transform((text) => address(text)),
)
export const Signature = base58Of(64)
export const Blockhash = base58Of(32)

/** An unsigned 64-bit integer; a value beyond a safe number arrives as a bigint (see parseJson). */
export const U64 = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.bigint()]),
  v.transform((value) => BigInt(value)),
  v.minValue(0n),
  v.maxValue(U64_MAX),
)

const CommitmentName = v.picklist([
  'processed',
  'confirmed',
  'finalized',
  'recent',
  'single',
  'singleGossip',
  'root',
  'max',
])

const certaintyOf = (name: v.InferOutput<typeof CommitmentName>): Certainty =>
  name === 'finalized' || name === 'root' || name === 'max' ? 'finalized' : 'confirmed'

/** A commitment in any spelling; some are older names of others. */
export const Commitment = v.pipe(CommitmentName, v.transform(certaintyOf))

/** A commitment for landed transactions, which is `confirmed` at least. */
export const LandedCommitment = v.pipe(
  CommitmentName,
  v.check(
    (name) => name !== 'processed' && name !== 'recent',
    'Invalid param: method does not support commitment below `confirmed`',
  ),
  v.transform(certaintyOf),
)

/** The options that nearly every method has. */
export const ContextEntries = { commitment: v.nullish(Commitment), minContextSlot: v.nullish(U64) }
export const ContextConfig = v.nullish(v.object(ContextEntries))

export type Method = (chain: Chain, params: readonly unknown[]) => unknown

/** Makes a method that checks its positional parameters: -32602 names the first invalid one. */
export function method<Schema extends v.GenericSchema>(
  schema: Schema,
  run: (chain: Chain, params: v.InferOutput<Schema>) => unknown,
): Method {
  return (chain, params) => {
    const result = v.safeParse(schema, params)
    if (!result.success) throw invalidParams(describe(result.issues[0]))
    return run(chain, result.output)
  }
}

type Context = { commitment?: Certainty | null | undefined; minContextSlot?: bigint | null | undefined }

/**
 * Returns the state for a call's answer: by default the finalized one, as on a cluster.
 * @throws RpcError -32016 if it has not reached the call's minContextSlot
 */
export function bankOf({ ledger }: Chain, options: Context | null | undefined): Bank {
  const bank = ledger.bank(options?.commitment ?? 'finalized')
  if ((options?.minContextSlot ?? 0n) <= bank.slot) return bank
  throw new RpcError(RPC_CODE.minContextSlot, 'Minimum context slot has not been reached', {
    contextSlot: bank.slot,
  })
}

function describe(issue: v.BaseIssue<unknown>): string {
  if (issue.message.startsWith('Invalid param')) return issue.message
  const path = issue.path?.map(({ key }) => String(key)).join('.')
  return `Invalid params: ${path ? `${path}: ` : ''}${issue.message}.`
}

/** Wraps an answer with the slot that it was read at. */
export function inContext<T>({ slot }: { slot: bigint }, value: T) {
  return { context: { apiVersion: API_VERSION, slot }, value }
}
