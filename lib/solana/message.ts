import { base58 } from '@scure/base'
import { concat } from '../keys/bytes.ts'
import { type Address, addressBytes, addressOf } from './address.ts'
import { type AccountMeta, type Instruction, payer, readonly } from './instruction.ts'

const HEADER_BYTES = 3
const ADDRESS_BYTES = 32

/** A message in parts. */
export type Message = {
  version: 'legacy' | 0
  /** Every account once, in the message's order: writable signers, readonly signers, writable, readonly. */
  accounts: AccountMeta[]
  blockhash: string
  /** Accounts have the message's privileges, since the format has none for single instructions. */
  instructions: Instruction[]
}

/** The first byte of a message with a version; a legacy message begins with its count of signers. */
export const VERSION_FLAG = 0x80

/** The bytes to sign, and the required signers, fee payer first. */
type CompiledMessage = { bytes: Uint8Array<ArrayBuffer>; signers: Address[] }

/**
 * Compiles instructions into a message of the legacy format, which every wallet reads. The accounts have the
 * order of web3.js and kit. So a wallet that decodes the transaction and compiles it again gets the same
 * bytes, and an existing signature stays valid. Source: "Transactions", solana.com/docs/core/transactions;
 * `compileMessage` of web3.js 1.x.
 */
export function compileMessage(
  feePayer: Address,
  instructions: Instruction[],
  blockhash: string,
): CompiledMessage {
  const accounts = orderedMetas(feePayer, instructions)
  return {
    bytes: encodeMessage({ version: 'legacy', accounts, blockhash, instructions }),
    signers: accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address),
  }
}

/**
 * Encodes a message; version 0 without lookup tables.
 * Source: "Transactions", solana.com/docs/core/transactions.
 * @throws Error if an instruction names an account that the message lacks
 */
export function encodeMessage({
  version,
  accounts,
  blockhash,
  instructions,
}: Message): Uint8Array<ArrayBuffer> {
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]))
  const indexOf = (address: Address): number => {
    const index = indexes.get(address)
    if (index === undefined) throw new Error(`${address} is not in the message`)
    return index
  }
  const signed = accounts.filter(({ isSigner }) => isSigner)
  const unsigned = accounts.filter(({ isSigner }) => !isSigner)
  return concat(
    version === 0 ? [VERSION_FLAG] : [],
    [signed.length, readonlyCount(signed), readonlyCount(unsigned)],
    compactLength(accounts.length),
    ...accounts.map(({ address }) => addressBytes(address)),
    base58.decode(blockhash),
    compactLength(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      [indexOf(program)],
      compactLength(accounts.length),
      accounts.map(({ address }) => indexOf(address)),
      compactLength(data.length),
      data,
    ]),
    version === 0 ? compactLength(0) : [],
  )
}

/** Reads the first `count` accounts of a compiled message, which are its signers. */
export function leadingAddresses(message: Uint8Array, count: number): Address[] {
  // Fewer than 128 accounts fit a transaction, so their compact length is one byte.
  const start = HEADER_BYTES + 1
  return Array.from({ length: count }, (_, index) => {
    const offset = start + index * ADDRESS_BYTES
    return addressOf(message.subarray(offset, offset + ADDRESS_BYTES))
  })
}

/**
 * Encodes a length as "compact-u16": seven bits a byte, lowest first; the eighth bit is set if more bytes
 * follow.
 */
export function compactLength(length: number): number[] {
  if (length < 0x80) return [length]
  return [(length & 0x7f) | 0x80, ...compactLength(length >> 7)]
}

/**
 * Returns every account once, with all privileges that any instruction needs: signers first, in each class
 * writable ones first.
 */
function orderedMetas(feePayer: Address, instructions: Instruction[]): AccountMeta[] {
  const asked = instructions.flatMap(({ program, accounts }) => [...accounts, readonly(program)])
  const metas = new Map<Address, AccountMeta>()
  for (const { address, isSigner, isWritable } of asked) {
    const known = metas.get(address)
    metas.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  metas.delete(feePayer)
  const others = [...metas.values()].sort(
    (a, b) =>
      Number(b.isSigner) - Number(a.isSigner) ||
      Number(b.isWritable) - Number(a.isWritable) ||
      inOrder(a.address, b.address),
  )
  return [payer(feePayer), ...others]
}

/**
 * Compares addresses as `Intl.Collator` of `en` does, whose order web3.js and kit use: the case of letters
 * decides only between texts that are equal otherwise, and `a` precedes `A`. To make a collator takes longer
 * than all else in a Worker's start.
 */
function inOrder(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()]
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1
  // In code units, `A` precedes `a`.
  return a === b ? 0 : a > b ? -1 : 1
}

const readonlyCount = (metas: AccountMeta[]): number => metas.filter(({ isWritable }) => !isWritable).length
