import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  type Address,
  type CompiledTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'
import { MAX_TRANSACTION_BYTES } from '../../solana/transaction.ts'
import { invalidParams } from './rpc/errors.ts'

/** A message in wire form, and its parts. */
export interface Message {
  bytes: Uint8Array
  version: 'legacy' | 0
  header: CompiledTransactionMessage['header']
  /** The accounts named in the message itself, the fee payer first; without the accounts of lookup tables. */
  staticKeys: readonly Address[]
  lookups: readonly Lookup[]
  instructions: readonly Instruction[]
  /** base58 */
  blockhash: string
  /** The same for every transaction with this message, with any signatures. */
  hash: string
}

export interface Instruction {
  programIndex: number
  accounts: readonly number[]
  data: Uint8Array
}

export interface Lookup {
  table: Address
  writable: readonly number[]
  readonly: readonly number[]
}

export interface SignedTransaction {
  bytes: Uint8Array
  /** The first signature, base58: the transaction's id. */
  signature: string
  signatures: readonly string[]
  message: Message
  kit: Transaction
}

/**
 * Reads a transaction from its wire bytes. It refuses bytes that differ when they are encoded again, since
 * LiteSVM aborts the whole process on bytes that it can't read.
 * @throws RpcError -32602
 */
export function decodeTransaction(bytes: Uint8Array): SignedTransaction {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw invalidParams(
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES} bytes)`,
    )
  const what = 'solana_transaction::versioned::VersionedTransaction'
  const kit = readOrRefuse(what, () => getTransactionDecoder().decode(bytes))
  const message = decodeMessage(Uint8Array.from(kit.messageBytes), what)
  if (!same(getTransactionEncoder().encode(kit), bytes)) throw malformed(what)
  const signatures = Object.values(kit.signatures).map((one) => base58.encode(one ?? new Uint8Array(64)))
  const [signature] = signatures
  if (!signature || signatures.length !== message.header.numSignerAccounts) throw unsanitary()
  return { bytes, signature, signatures, message, kit }
}

/**
 * Reads a message (legacy or version 0) from its wire bytes.
 * @throws RpcError -32602
 */
export function decodeMessage(bytes: Uint8Array, what = 'solana_message::VersionedMessage'): Message {
  const compiled = readOrRefuse(what, () => getCompiledTransactionMessageDecoder().decode(bytes))
  if (compiled.version !== 'legacy' && compiled.version !== 0)
    throw invalidParams(`failed to deserialize ${what}: unsupported version ${compiled.version}`)
  if (!same(getCompiledTransactionMessageEncoder().encode(compiled), bytes)) throw malformed(what)
  const message: Message = {
    bytes,
    version: compiled.version,
    header: compiled.header,
    staticKeys: compiled.staticAccounts,
    lookups: lookupsOf(compiled),
    instructions: compiled.instructions.map((one) => ({
      programIndex: one.programAddressIndex,
      accounts: one.accountIndices ?? [],
      data: Uint8Array.from(one.data ?? []),
    })),
    blockhash: compiled.lifetimeToken,
    hash: createHash('sha256').update(bytes).digest('base64'),
  }
  sanitize(message)
  return message
}

function lookupsOf(compiled: CompiledTransactionMessage): Lookup[] {
  if (compiled.version !== 0) return []
  return (compiled.addressTableLookups ?? []).map((one) => ({
    table: one.lookupTableAddress,
    writable: one.writableIndexes,
    readonly: one.readonlyIndexes,
  }))
}

/** The checks of Message::sanitize in solana-message; LiteSVM never gets a message that fails them. */
function sanitize({ header, staticKeys, lookups, instructions }: Message): void {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const all = lookups.reduce((sum, one) => sum + one.writable.length + one.readonly.length, staticKeys.length)
  const sound =
    numSignerAccounts + numReadonlyNonSignerAccounts <= staticKeys.length &&
    numReadonlySignerAccounts < numSignerAccounts &&
    all <= 256 &&
    lookups.every((one) => one.writable.length + one.readonly.length > 0) &&
    instructions.every(
      (one) =>
        one.programIndex > 0 &&
        one.programIndex < staticKeys.length &&
        one.accounts.every((index) => index < all),
    )
  if (!sound) throw unsanitary()
}

export function isSigner({ header }: Message, index: number): boolean {
  return index < header.numSignerAccounts
}

/** Returns whether the message may write to the account at a static index. */
export function isWritable({ header, staticKeys }: Message, index: number): boolean {
  return index < header.numSignerAccounts
    ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
    : index < staticKeys.length - header.numReadonlyNonSignerAccounts
}

function readOrRefuse<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw malformed(what)
  }
}

function malformed(what: string) {
  return invalidParams(`failed to deserialize ${what}: invalid bytes`)
}

function unsanitary() {
  return invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly')
}

function same(a: { length: number; [index: number]: number }, b: Uint8Array): boolean {
  return a.length === b.length && b.every((byte, index) => byte === a[index])
}
