import * as v from 'valibot'
import type { Landed } from '../history.ts'
import { STATUS_CACHE_SLOTS } from '../slots.ts'
import { invalidParams } from './errors.ts'
import { showTransaction } from './landed.ts'
import { ContextEntries, inContext, type Method, method, Pubkey, Signature } from './params.ts'

const MAX_STATUSES = 256
const MAX_SIGNATURES = 1_000

const StatusConfig = v.nullish(v.object({ searchTransactionHistory: v.nullish(v.boolean()) }))

const SignaturesConfig = v.nullish(
  v.object({
    ...ContextEntries,
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
      ...ContextEntries,
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
      const { history, slot } = chain.ledger
      const oldest = options?.searchTransactionHistory ? 0n : slot - STATUS_CACHE_SLOTS
      const found = signatures.map((signature) => history.get(signature))
      return inContext(
        chain,
        found.map((landed) => (landed && landed.slot >= oldest ? statusOf(landed) : null)),
      )
    },
  ),

  getSignaturesForAddress: method(v.tuple([Pubkey, SignaturesConfig]), ({ ledger }, [pubkey, options]) => {
    requireConfirmed(options?.commitment)
    const all = ledger.history.of(pubkey)
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
      confirmationStatus: 'finalized',
    }))
  }),

  getTransaction: method(v.tuple([Signature, TransactionConfig]), ({ ledger }, [signature, options]) => {
    requireConfirmed(options?.commitment)
    const landed = ledger.history.get(signature)
    const maxVersion = options?.maxSupportedTransactionVersion ?? undefined
    return landed ? showTransaction(landed, options?.encoding ?? 'json', maxVersion) : null
  }),
}

/** The status of a landed transaction; final, so that no number of confirmations is left to tell. */
function statusOf({ slot, failure }: Landed) {
  return {
    slot,
    confirmations: null,
    err: failure,
    status: failure === null ? { Ok: null } : { Err: failure },
    confirmationStatus: 'finalized',
  }
}

function indexOf(all: Landed[], signature: string): number {
  return all.findIndex((one) => one.signature === signature)
}

function requireConfirmed(commitment: string | null | undefined): void {
  if (commitment === 'processed' || commitment === 'recent')
    throw invalidParams('Method does not support commitment below `confirmed`')
}
