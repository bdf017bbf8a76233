import * as v from 'valibot'
import type { Landed } from '../execution.ts'
import type { Certainty, Ledger } from '../ledger.ts'
import { STATUS_CACHE_SLOTS } from '../slots.ts'
import { showTransaction } from './landed.ts'
import {
  bankOf,
  ContextEntries,
  inContext,
  LandedCommitment,
  type Method,
  method,
  Pubkey,
  Signature,
} from './params.ts'

const MAX_STATUSES = 256
const MAX_SIGNATURES = 1_000

const StatusConfig = v.nullish(v.object({ searchTransactionHistory: v.nullish(v.boolean()) }))

const LandedEntries = { ...ContextEntries, commitment: v.nullish(LandedCommitment) }

const SignaturesConfig = v.nullish(
  v.object({
    ...LandedEntries,
    before: v.nullish(Signature),
    until: v.nullish(Signature),
    limit: v.nullish(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1, 'Invalid limit; max 1000'),
        v.maxValue(MAX_SIGNATURES, 'Invalid limit; max 1000'),
      ),
    ),
  }),
)

const Encoding = v.picklist(['json', 'jsonParsed', 'base58', 'base64'])
const TransactionConfig = v.nullish(
  v.union([
    // An older form: the name of an encoding instead of options.
    v.pipe(
      Encoding,
      v.transform((encoding) => ({ encoding, commitment: null, maxSupportedTransactionVersion: null })),
    ),
    v.object({
      ...LandedEntries,
      encoding: v.nullish(Encoding),
      maxSupportedTransactionVersion: v.nullish(v.pipe(v.number(), v.integer())),
    }),
  ]),
)

/** https://solana.com/docs/rpc/http: transactions that have landed. */
export const historyMethods: Record<string, Method> = {
  getSignatureStatuses: method(
    v.tuple([
      v.pipe(v.array(Signature), v.maxLength(MAX_STATUSES, `Too many inputs provided; max ${MAX_STATUSES}`)),
      StatusConfig,
    ]),
    (chain, [signatures, options]) => {
      const { ledger } = chain
      const oldest = options?.searchTransactionHistory ? 0n : ledger.slot - STATUS_CACHE_SLOTS
      const found = signatures.map((signature) => ledger.history.get(signature))
      return inContext(
        ledger,
        found.map((landed) => (landed && landed.slot >= oldest ? statusOf(landed, ledger) : null)),
      )
    },
  ),

  getSignaturesForAddress: method(v.tuple([Pubkey, SignaturesConfig]), (chain, [pubkey, options]) => {
    const { slot } = bankOf(chain, options)
    const all = chain.ledger.history.of(pubkey).filter((landed) => landed.slot <= slot)
    // Bounds that never landed: `before` leaves nothing, `until` stops nowhere.
    const start = options?.before ? indexOf(all, options.before) + 1 || all.length : 0
    const stop = options?.until ? indexOf(all, options.until) : -1
    const range = all.slice(start, stop === -1 ? undefined : stop)
    return range.slice(0, options?.limit ?? MAX_SIGNATURES).map((landed) => ({
      signature: landed.signature,
      slot: landed.slot,
      err: landed.failure,
      memo: landed.memo,
      blockTime: landed.blockTime,
      confirmationStatus: certaintyOf(landed, chain.ledger),
    }))
  }),

  getTransaction: method(v.tuple([Signature, TransactionConfig]), (chain, [signature, options]) => {
    const { slot } = bankOf(chain, options)
    const landed = chain.ledger.history.get(signature)
    const maxVersion = options?.maxSupportedTransactionVersion ?? undefined
    return landed && landed.slot <= slot
      ? showTransaction(landed, options?.encoding ?? 'json', maxVersion)
      : null
  }),
}

/** Returns the commitment that a transaction has reached. */
const certaintyOf = ({ slot }: Landed, { finalSlot }: Ledger): Certainty =>
  slot <= finalSlot ? 'finalized' : 'confirmed'

/** Returns the status of a landed transaction. A final one has no number of confirmations. */
function statusOf(landed: Landed, ledger: Ledger) {
  const { slot, failure } = landed
  const confirmationStatus = certaintyOf(landed, ledger)
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : ledger.slot - slot,
    err: failure,
    status: failure === null ? { Ok: null } : { Err: failure },
    confirmationStatus,
  }
}

function indexOf(all: Landed[], signature: string): number {
  return all.findIndex((one) => one.signature === signature)
}
