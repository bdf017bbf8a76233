import { base58 } from '../encoding.ts'
import { fromBase58 } from '../from-base58.ts'
import { concat, isEqual } from './bytes.ts'
import { unexpected } from './errors.ts'

const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32
const MAX_TRANSACTION_BYTES = 1_232

/** The privileges of an account in a message. */
export type Role = { isSigner: boolean; isWritable: boolean }

type Account = Role & { address: string }

export type Instruction = { program: string; accounts: string[]; data: Uint8Array }

/** A transaction in parts. `accounts` has each account once, the fee payer first. */
export type Transaction = { signatures: Uint8Array[]; accounts: Account[]; instructions: Instruction[] }

/**
 * Reads the wire form of a transaction with a legacy message. It is strict: the parts encode to the same
 * bytes, nothing follows them, and no account is listed twice.
 * Source: "Transactions", solana.com/docs/core/transactions.
 * @throws AgentCredError `transaction_unexpected` for any other bytes
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw unexpected(`its bytes are malformed, since ${error.message}`)
    throw error
  }
}

function read(bytes: Uint8Array): Transaction {
  if (bytes.length > MAX_TRANSACTION_BYTES) throw new RangeError('there are too many')
  let offset = 0
  const take = (length: number): Uint8Array => {
    offset += length
    if (offset > bytes.length) throw new RangeError('they end early')
    return bytes.slice(offset - length, offset)
  }
  const byte = (): number => take(1)[0] as number
  // A transaction of 1,232 bytes has no room for 128 entries of any list, so only data can be longer.
  const length = (): number => {
    const low = byte()
    return low < 0x80 ? low : (low & 0x7f) + byte() * 0x80
  }
  const list = <Item>(item: () => Item): Item[] => {
    const items: Item[] = []
    for (let left = length(); left > 0; left -= 1) items.push(item())
    return items
  }
  const signatures = list(() => take(SIGNATURE_BYTES))
  const header = take(3)
  const [signers = 0, readonlySigned = 0, readonlyUnsigned = 0] = header
  const addresses = list(() => base58(take(ADDRESS_BYTES)))
  if (signers !== signatures.length) throw new RangeError('they are not a signed legacy message')
  if (new Set(addresses).size < addresses.length) throw new RangeError('an account is listed twice')
  const accounts = addresses.map((address, index): Account => {
    const isSigner = index < signers
    const lastWritable = isSigner ? signers - readonlySigned : addresses.length - readonlyUnsigned
    return { address, isSigner, isWritable: index < lastWritable }
  })
  const addressAt = (): string => {
    const address = addresses[byte()]
    if (address === undefined) throw new RangeError('an account is missing')
    return address
  }
  const blockhash = take(ADDRESS_BYTES)
  const instructions = list(() => ({
    program: addressAt(),
    accounts: list(addressAt),
    data: take(length()),
  }))
  const transaction = { signatures, accounts, instructions }
  if (!isEqual(encode(transaction, header, blockhash), bytes)) throw new RangeError('they encode differently')
  return transaction
}

function encode(
  { signatures, accounts, instructions }: Transaction,
  header: Uint8Array,
  blockhash: Uint8Array,
): Uint8Array {
  const indexOf = (address: string): number => accounts.findIndex((account) => account.address === address)
  return concat(
    compact(signatures.length),
    ...signatures,
    header,
    compact(accounts.length),
    ...accounts.map(({ address }) => fromBase58(address)),
    blockhash,
    compact(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      [indexOf(program)],
      compact(accounts.length),
      accounts.map(indexOf),
      compact(data.length),
      data,
    ]),
  )
}

/** Encodes a length in seven bits a byte, the lowest first ("compact-u16"). */
const compact = (length: number): number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]
