import { base58 } from '@scure/base'
import { address } from '@solana/kit'
import * as v from 'valibot'
import type { Chain } from '../chain.ts'
import type { Ledger } from '../ledger.ts'
import { invalidParams, RPC_CODE, RpcError } from './errors.ts'

/** The Agave release that LiteSVM 1.5 takes its runtime from; sent as apiVersion and by getVersion. */
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

/** An unsigned 64-bit integer; what does not fit a number arrives as a bigint (see parseJson). */
export const U64 = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.bigint()]),
  v.transform((value) => BigInt(value)),
  v.minValue(0n),
  v.maxValue(U64_MAX),
)

/** Accepted in all spellings and without effect: every landed transaction is final at once. */
export const Commitment = v.picklist([
  'processed',
  'confirmed',
  'finalized',
  'recent',
  'single',
  'singleGossip',
  'root',
  'max',
])

/** The options that nearly every method has. */
export const ContextEntries = { commitment: v.nullish(Commitment), minContextSlot: v.nullish(U64) }
export const ContextConfig = v.nullish(v.object(ContextEntries))

export type Method = (chain: Chain, params: readonly unknown[]) => unknown

/**
 * A method with its positional parameters checked, -32602 naming the first that is wrong. Missing trailing
 * ones are undefined. An options object with a minContextSlot that is still to come is answered with -32016.
 */
export function method<Schema extends v.GenericSchema>(
  schema: Schema,
  run: (chain: Chain, params: v.InferOutput<Schema>) => unknown,
): Method {
  return (chain, params) => {
    const result = v.safeParse(schema, params)
    if (!result.success) throw invalidParams(describe(result.issues[0]))
    for (const param of Array.isArray(result.output) ? result.output : []) requireSlot(chain.ledger, param)
    return run(chain, result.output)
  }
}

function requireSlot(ledger: Ledger, options: unknown): void {
  if (typeof options !== 'object' || options === null || !('minContextSlot' in options)) return
  const slot = options.minContextSlot
  if (typeof slot !== 'bigint' || slot <= ledger.slot) return
  throw new RpcError(RPC_CODE.minContextSlot, 'Minimum context slot has not been reached', {
    contextSlot: ledger.slot,
  })
}

function describe(issue: v.BaseIssue<unknown>): string {
  if (issue.message.startsWith('Invalid param')) return issue.message
  const path = issue.path?.map(({ key }) => String(key)).join('.')
  return `Invalid params: ${path ? `${path}: ` : ''}${issue.message}.`
}

/** The envelope of answers that tell the slot they were read at. */
export function inContext<T>({ ledger }: Chain, value: T) {
  return { context: { apiVersion: API_VERSION, slot: ledger.slot }, value }
}
