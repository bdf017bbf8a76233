import { type Address, addressOf } from './address.ts'
import { TOKEN_PROGRAM } from './programs/programs.ts'
import { MINT_BYTES, MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from './programs/token.ts'

/** An account from the RPC node; `owner` is its program. */
export type ChainAccount = { owner: Address; lamports: bigint; data: Uint8Array }

export type TokenAccount = {
  mint: Address
  owner: Address
  amount: bigint
  delegate: Address | undefined
  state: 'initialized' | 'frozen'
  isNative: boolean
  delegatedAmount: bigint
  closeAuthority: Address | undefined
}

type Multisig = { required: number; signers: Address[] }

export type Mint = {
  mintAuthority: Address | undefined
  supply: bigint
  decimals: number
  freezeAuthority: Address | undefined
}

const MAX_SIGNERS = 11
const STATES = [undefined, 'initialized', 'frozen'] as const

/**
 * Reads an initialized token account of the classic Token program (spl-token-interface, `Account`). Anything
 * else is undefined: another program (also Token-2022), another length, not initialized, or not in the
 * program's encoding.
 */
export function decodeTokenAccount(account: ChainAccount | undefined): TokenAccount | undefined {
  const data = tokenProgramData(account, TOKEN_ACCOUNT_BYTES)
  const state = STATES[data?.[108] ?? 0]
  if (!data || !state || !areOptions(data, [72, 109, 129])) return undefined
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: u64At(data, 64),
    delegate: optionalAddressAt(data, 72),
    state,
    isNative: isSome(data, 109),
    delegatedAmount: u64At(data, 121),
    closeAuthority: optionalAddressAt(data, 129),
  }
}

/** Reads an initialized multisig (spl-token-interface, `Multisig`). Anything else is undefined. */
export function decodeMultisig(account: ChainAccount | undefined): Multisig | undefined {
  const data = tokenProgramData(account, MULTISIG_BYTES)
  if (!data) return undefined
  const [required = 0, count = 0, isInitialized] = data
  if (isInitialized !== 1 || count < 1 || count > MAX_SIGNERS) return undefined
  return { required, signers: Array.from({ length: count }, (_, index) => addressAt(data, 3 + index * 32)) }
}

/** Returns whether an account is the multisig of exactly these signers, in this order. */
export function isMultisigOf(
  account: ChainAccount | undefined,
  required: number,
  signers: readonly Address[],
): boolean {
  const multisig = decodeMultisig(account)
  return (
    multisig?.required === required &&
    multisig.signers.length === signers.length &&
    multisig.signers.every((signer, index) => signer === signers[index])
  )
}

/**
 * Reads an initialized mint (spl-token-interface, `Mint`). Anything else is undefined, also a Token-2022
 * mint.
 */
export function decodeMint(account: ChainAccount | undefined): Mint | undefined {
  const data = tokenProgramData(account, MINT_BYTES)
  if (data?.[45] !== 1 || !areOptions(data, [0, 46])) return undefined
  return {
    mintAuthority: optionalAddressAt(data, 0),
    supply: u64At(data, 36),
    decimals: data[44] ?? 0,
    freezeAuthority: optionalAddressAt(data, 46),
  }
}

const tokenProgramData = (account: ChainAccount | undefined, length: number): Uint8Array | undefined =>
  account?.owner === TOKEN_PROGRAM && account.data.length === length ? account.data : undefined

const addressAt = (data: Uint8Array, offset: number): Address => addressOf(data.subarray(offset, offset + 32))

const u64At = (data: Uint8Array, offset: number): bigint => view(data).getBigUint64(offset, true)

/**
 * Reads the tag of a C-style option: 32 bits, 0 or 1. The value follows; its bytes have no meaning after a 0.
 */
const tagAt = (data: Uint8Array, offset: number): number => view(data).getUint32(offset, true)
const isSome = (data: Uint8Array, offset: number): boolean => tagAt(data, offset) === 1
const areOptions = (data: Uint8Array, offsets: number[]): boolean =>
  offsets.every((offset) => tagAt(data, offset) <= 1)
const optionalAddressAt = (data: Uint8Array, offset: number): Address | undefined =>
  isSome(data, offset) ? addressAt(data, offset + 4) : undefined

const view = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)
