import { base64 } from '@scure/base'
import * as v from 'valibot'
import { feeOf } from '../fees.ts'
import { FIRST_SLOT, unixTimeOf } from '../slots.ts'
import { decodeMessage } from '../transaction.ts'
import { invalidParams, RPC_CODE, RpcError } from './errors.ts'
import {
  API_VERSION,
  Blockhash,
  bankOf,
  ContextConfig,
  inContext,
  type Method,
  method,
  U64,
} from './params.ts'

/** https://solana.com/docs/rpc/http: the cluster, its blocks and its prices. */
export const networkMethods: Record<string, Method> = {
  getHealth: () => 'ok',

  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),

  getGenesisHash: ({ ledger }) => ledger.genesisHash,

  getSlot: method(v.tuple([ContextConfig]), (chain, [options]) => bankOf(chain, options).slot),

  getBlockHeight: method(v.tuple([ContextConfig]), (chain, [options]) => bankOf(chain, options).blockHeight),

  getEpochInfo: method(v.tuple([ContextConfig]), (chain, [options]) => bankOf(chain, options).epochInfo),

  getFirstAvailableBlock: () => FIRST_SLOT,

  getBlockTime: method(v.tuple([U64]), ({ ledger }, [slot]) => {
    if (slot < FIRST_SLOT || slot > ledger.slot)
      throw new RpcError(RPC_CODE.blockNotAvailable, `Block not available for slot ${slot}`)
    return unixTimeOf(ledger.genesisMs, slot)
  }),

  getLatestBlockhash: method(v.tuple([ContextConfig]), (chain, [options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, bank.latestBlockhash)
  }),

  isBlockhashValid: method(v.tuple([Blockhash, ContextConfig]), (chain, [blockhash, options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, bank.isBlockhashValid(blockhash))
  }),

  getMinimumBalanceForRentExemption: method(v.tuple([U64, ContextConfig]), ({ ledger }, [bytes]) => {
    if (bytes > 10_485_760n) throw invalidParams('Invalid params: an account has at most 10 MiB.')
    return ledger.rentExemptMinimum(bytes)
  }),

  /** null once the message's blockhash has expired. */
  getFeeForMessage: method(v.tuple([v.string(), ContextConfig]), (chain, [text, options]) => {
    const bank = bankOf(chain, options)
    const message = decodeMessage(bytesOf(text))
    return inContext(bank, bank.isBlockhashValid(message.blockhash) ? feeOf(message) : null)
  }),
}

function bytesOf(text: string): Uint8Array {
  try {
    return base64.decode(text)
  } catch {
    throw invalidParams('invalid base64 encoding')
  }
}
