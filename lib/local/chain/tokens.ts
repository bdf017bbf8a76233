import { type Address, getAddressDecoder, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit'
import { MINT_BYTES, MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from '../../solana/programs/token.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/** Token-2022 pads every extended state to an account's size; the kind follows. */
const KIND_OFFSET = 165
const KIND_MINT = 1
const KIND_ACCOUNT = 2
const STATES = ['uninitialized', 'initialized', 'frozen'] as const

export interface Mint {
  type: 'mint'
  mintAuthority: Address | null
  supply: bigint
  decimals: number
  isInitialized: boolean
  freezeAuthority: Address | null
}

export interface TokenAccount {
  type: 'account'
  mint: Address
  owner: Address
  amount: bigint
  delegate: Address | null
  state: (typeof STATES)[number]
  /** Lamports reserved for rent in an account of wrapped SOL, else null. */
  nativeReserve: bigint | null
  delegatedAmount: bigint
  closeAuthority: Address | null
}

export interface Multisig {
  type: 'multisig'
  required: number
  signers: Address[]
}

type TokenState = Mint | TokenAccount | Multisig

/** Reads the base state of a token program's account (spl-token-interface, state.rs); null for others. */
export function readTokenState(owner: string, data: ReadonlyUint8Array): TokenState | null {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return null
  const kind = data.length > KIND_OFFSET && data.length !== MULTISIG_BYTES ? data[KIND_OFFSET] : undefined
  if (data.length === MULTISIG_BYTES) return readMultisig(data)
  if (data.length === MINT_BYTES || kind === KIND_MINT) return readMint(data)
  if (data.length === TOKEN_ACCOUNT_BYTES || kind === KIND_ACCOUNT) return readAccount(data)
  return null
}

function readMint(data: ReadonlyUint8Array): Mint | null {
  const mint: Mint = {
    type: 'mint',
    mintAuthority: optionalKey(data, 0),
    supply: u64(data, 36),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKey(data, 46),
  }
  return mint.isInitialized ? mint : null
}

function readAccount(data: ReadonlyUint8Array): TokenAccount | null {
  const state = STATES[data[108] ?? 0]
  if (!state || state === 'uninitialized') return null
  return {
    type: 'account',
    mint: key(data, 0),
    owner: key(data, 32),
    amount: u64(data, 64),
    delegate: optionalKey(data, 72),
    state,
    nativeReserve: u32(data, 109) === 1 ? u64(data, 113) : null,
    delegatedAmount: u64(data, 121),
    closeAuthority: optionalKey(data, 129),
  }
}

function readMultisig(data: ReadonlyUint8Array): Multisig | null {
  if (data[2] !== 1) return null
  const signers = Array.from({ length: data[1] ?? 0 }, (_, index) => key(data, 3 + 32 * index))
  return { type: 'multisig', required: data[0] ?? 0, signers }
}

/** Makes a token account in wire form: initialized, with no delegate and no close authority. */
export function newTokenAccount(mint: Address, owner: Address): Uint8Array {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES)
  data.set(getAddressEncoder().encode(mint), 0)
  data.set(getAddressEncoder().encode(owner), 32)
  data[108] = STATES.indexOf('initialized')
  return data
}

/** Copies a token account's bytes with another amount. */
export function withAmount(data: ReadonlyUint8Array, amount: bigint): Uint8Array {
  return withU64(data, 64, amount)
}

/** Copies a mint's bytes with another supply. */
export function withSupply(data: ReadonlyUint8Array, supply: bigint): Uint8Array {
  return withU64(data, 36, supply)
}

function withU64(data: ReadonlyUint8Array, offset: number, value: bigint): Uint8Array {
  const copy = Uint8Array.from(data)
  new DataView(copy.buffer).setBigUint64(offset, value, true)
  return copy
}

function key(data: ReadonlyUint8Array, offset: number): Address {
  return getAddressDecoder().decode(data, offset)
}

function optionalKey(data: ReadonlyUint8Array, offset: number): Address | null {
  return u32(data, offset) === 1 ? key(data, offset + 4) : null
}

function u32(data: ReadonlyUint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(offset, true)
}

function u64(data: ReadonlyUint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true)
}
