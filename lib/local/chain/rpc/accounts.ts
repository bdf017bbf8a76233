import { zstdCompressSync } from 'node:zlib'
import { base58, base64 } from '@scure/base'
import type { EncodedAccount } from '@solana/kit'
import * as v from 'valibot'
import type { Bank } from '../bank.ts'
import { invalidParams, RPC_CODE, RpcError } from './errors.ts'
import {
  bankOf,
  ContextConfig,
  ContextEntries,
  inContext,
  type Method,
  method,
  Pubkey,
  U64,
  U64_MAX,
} from './params.ts'
import { parsedTokenState } from './parsed-tokens.ts'

/** rentEpoch of every rent-exempt account. */
const RENT_EPOCH_EXEMPT = U64_MAX

/** Longer data is refused in base58, whose encoding takes quadratic time. */
const MAX_BASE58_BYTES = 128

const DataSlice = v.object({ offset: U64, length: U64 })

/** The command line tools of Solana ask for base64+zstd. */
const AccountEncoding = v.picklist(
  ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'],
  'encoding must be base58, base64, base64+zstd or jsonParsed',
)

export const AccountEntries = {
  ...ContextEntries,
  encoding: v.nullish(AccountEncoding),
  dataSlice: v.nullish(DataSlice),
}
export const AccountConfig = v.nullish(v.object(AccountEntries))
type AccountOptions = v.InferOutput<typeof AccountConfig>

/**
 * Formats an account for getAccountInfo (UiAccount). jsonParsed knows the token programs; other accounts are
 * in base64, as in a validator that does not know their program.
 * @throws RpcError if the data is too long for base58
 */
export function encodeAccount(bank: Bank, account: EncodedAccount | null, options: AccountOptions) {
  if (!account) return null
  return {
    data: encodeData(bank, account, options),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.programAddress,
    rentEpoch: RENT_EPOCH_EXEMPT,
    space: account.space,
  }
}

function encodeData(bank: Bank, account: EncodedAccount, options: AccountOptions) {
  const encoding = options?.encoding ?? 'binary'
  if (encoding === 'jsonParsed') {
    const parsed = parsedTokenState(bank, account)
    if (parsed) return parsed
  }
  const bytes = slice(Uint8Array.from(account.data), options?.dataSlice)
  if (encoding === 'base64' || encoding === 'jsonParsed') return [base64.encode(bytes), 'base64']
  if (encoding === 'base64+zstd') return [base64.encode(zstdCompressSync(bytes)), 'base64+zstd']
  if (bytes.length > MAX_BASE58_BYTES)
    throw new RpcError(
      RPC_CODE.invalidRequest,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    )
  // 'binary', the default, is base58 without the name of the encoding.
  return encoding === 'base58' ? [base58.encode(bytes), 'base58'] : base58.encode(bytes)
}

function slice(data: Uint8Array, part: { offset: bigint; length: bigint } | null | undefined): Uint8Array {
  return part ? data.subarray(Number(part.offset), Number(part.offset + part.length)) : data
}

/** Encodings of transactions in requests; base58 is the default. */
export const WireEncoding = v.nullish(v.picklist(['base58', 'base64'], 'encoding must be base58 or base64'))

/**
 * Reads the text of a transaction or message.
 * @throws RpcError -32602
 */
export function decodeText(text: string, encoding: v.InferOutput<typeof WireEncoding>): Uint8Array {
  const name = encoding ?? 'base58'
  if (text.length > 1683) throw invalidParams(`${name} encoded transaction too large: ${text.length} bytes`)
  try {
    return name === 'base58' ? base58.decode(text) : base64.decode(text)
  } catch {
    throw invalidParams(`invalid ${name} encoding`)
  }
}

const MAX_ACCOUNTS = 100

/** https://solana.com/docs/rpc/http: accounts of any program. */
export const accountMethods: Record<string, Method> = {
  getAccountInfo: method(v.tuple([Pubkey, AccountConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, encodeAccount(bank, bank.account(pubkey), options))
  }),

  /** Reads all accounts at one slot, since nothing else runs in between. */
  getMultipleAccounts: method(
    v.tuple([
      v.pipe(v.array(Pubkey), v.maxLength(MAX_ACCOUNTS, `Too many inputs provided; max ${MAX_ACCOUNTS}`)),
      AccountConfig,
    ]),
    (chain, [pubkeys, options]) => {
      const bank = bankOf(chain, options)
      const config = { ...options, encoding: options?.encoding ?? ('base64' as const) }
      const accounts = pubkeys.map((pubkey) => encodeAccount(bank, bank.account(pubkey), config))
      return inContext(bank, accounts)
    },
  ),

  getBalance: method(v.tuple([Pubkey, ContextConfig]), (chain, [pubkey, options]) => {
    const bank = bankOf(chain, options)
    return inContext(bank, bank.account(pubkey)?.lamports ?? 0n)
  }),
}
