import { base58 } from '@scure/base'
import { equalBytes } from '../keys/bytes.ts'
import { addressOf } from './address.ts'
import type { AccountMeta } from './instruction.ts'
import { encodeMessage, type Message, VERSION_FLAG } from './message.ts'

const ADDRESS_BYTES = 32
/** A compact-u16 has at most three bytes, of seven bits each. */
const COMPACT_BITS = 21

/** The reason why encodeMessage can't have written these bytes. */
export type MessageError = 'malformed' | 'unsupported_version' | 'lookup_tables'

type DecodedMessage = { ok: true; message: Message } | { ok: false; error: MessageError }

/**
 * Reads a message of the legacy format, or of version 0 without lookup tables. It is stricter than the
 * runtime: the result encodes to the same bytes again, so lengths have their shortest form and no byte
 * remains. No account is listed twice, the fee payer is writable, and no instruction calls the fee payer.
 * Source: "Transactions", solana.com/docs/core/transactions; `sanitize` of solana-message.
 */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const version = bytes[0] ?? 0
  if (version > VERSION_FLAG) return { ok: false, error: 'unsupported_version' }
  try {
    const { message, lookups } = read(bytes, version === VERSION_FLAG)
    if (lookups > 0) return { ok: false, error: 'lookup_tables' }
    if (equalBytes(encodeMessage(message), bytes)) return { ok: true, message }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return { ok: false, error: 'malformed' }
}

/** @throws RangeError if the bytes are not a message */
function read(bytes: Uint8Array, isVersioned: boolean): { message: Message; lookups: number } {
  const reader = readerOf(isVersioned ? bytes.subarray(1) : bytes)
  const header = { signers: reader.byte(), readonlySigned: reader.byte(), readonlyUnsigned: reader.byte() }
  const addresses = reader.list(() => addressOf(reader.take(ADDRESS_BYTES)))
  if (new Set(addresses).size < addresses.length) throw new RangeError('an account is listed twice')
  const { signers, readonlySigned, readonlyUnsigned } = header
  // encodeMessage never writes a header with more accounts than there are.
  if (readonlySigned >= signers) throw new RangeError('the fee payer is not writable')
  const accounts = addresses.map((address, index): AccountMeta => {
    const isSigner = index < signers
    return {
      address,
      isSigner,
      isWritable: index < (isSigner ? signers - readonlySigned : addresses.length - readonlyUnsigned),
    }
  })
  const accountAt = (index: number): AccountMeta => {
    const account = accounts[index]
    if (!account) throw new RangeError('an instruction uses an account that is not in the message')
    return account
  }
  const blockhash = base58.encode(reader.take(ADDRESS_BYTES))
  const instructions = reader.list(() => {
    const program = reader.byte()
    if (program === 0) throw new RangeError('an instruction calls the fee payer as a program')
    return {
      program: accountAt(program).address,
      accounts: reader.list(() => accountAt(reader.byte())),
      data: reader.take(reader.length()),
    }
  })
  const message: Message = { version: isVersioned ? 0 : 'legacy', accounts, blockhash, instructions }
  return { message, lookups: isVersioned ? reader.length() : 0 }
}

/** Reads bytes from the start; every method throws a RangeError at the end. */
function readerOf(bytes: Uint8Array) {
  let offset = 0
  const take = (length: number): Uint8Array => {
    if (offset + length > bytes.length) throw new RangeError('the message ends early')
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const byte = (): number => take(1)[0] ?? 0
  const length = (): number => {
    let value = 0
    for (let shift = 0; shift < COMPACT_BITS; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next < 0x80) return value
    }
    throw new RangeError('a length has more than three bytes')
  }
  /** Reads a list. It grows with the bytes read, not with the claimed count. */
  const list = <Item>(item: () => Item): Item[] => {
    const items: Item[] = []
    for (let left = length(); left > 0; left -= 1) items.push(item())
    return items
  }
  return { take, byte, length, list }
}
