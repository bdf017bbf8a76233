import { createPublicKey, verify } from 'node:crypto'
import {
  type AccountRole,
  type Address,
  type CompiledTransactionMessage,
  decompileTransactionMessage,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit'

/* The rule of cosigning said a second time, on kit's reading of a transaction: no code of the product's. */

const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/**
 * Lighthouse's indexes but 0 and 1, which write and close memory, 15, which reads the clock, and 16, which
 * calls another program.
 */
export const ASSERTIONS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17]

/**
 * Returns whether the authority may sign `submitted` in place of `recorded`. Both are Base64.
 * @param parties accounts that the wallet may guard besides writable ones, and written accounts of others
 */
export function mayBeCosigned(
  recorded: string,
  submitted: string,
  parties: { own: string[]; others: string[] },
): boolean {
  // The same few are recorded in thousands of cases.
  if (!recordings.has(recorded)) recordings.set(recorded, readingOf(recorded))
  const [recordedReading, submittedReading] = [recordings.get(recorded), readingOf(submitted)]
  if (!recordedReading || !submittedReading) return false
  if (recordedReading.signers.length > 2) throw new Error('recorded with other signers')
  const isOwn = (address: string) =>
    (parties.own.includes(address) || recordedReading.writable.includes(address)) &&
    !parties.others.includes(address)
  const guards = submittedReading.instructions.filter(({ program }) => program === LIGHTHOUSE)
  const budget = submittedReading.instructions.filter(({ program }) => program === COMPUTE_BUDGET)
  const rest = (all: Call[]) =>
    all.filter(({ program }) => program !== LIGHTHOUSE && program !== COMPUTE_BUDGET)
  return (
    submittedReading.isSigned &&
    JSON.stringify(submittedReading.signers) === JSON.stringify(recordedReading.signers) &&
    JSON.stringify(submittedReading.writable) === JSON.stringify(recordedReading.writable) &&
    // With their roles: in kit, an account has the same role in an instruction as in the message.
    JSON.stringify(rest(submittedReading.instructions)) ===
      JSON.stringify(rest(recordedReading.instructions)) &&
    guards.length <= 8 &&
    guards.every(({ data }) => ASSERTIONS.includes(data[0] ?? -1)) &&
    guards.every(({ accounts }) => accounts.every(({ address }) => isOwn(address))) &&
    isModest(budget)
  )
}

type Call = { program: string; accounts: { address: string; role: AccountRole }[]; data: number[] }
type Reading = { signers: string[]; writable: string[]; instructions: Call[]; isSigned: boolean }

const recordings = new Map<string, Reading | undefined>()

/** What kit reads; undefined for what it does not, and for what it would have written otherwise. */
function readingOf(text: string): Reading | undefined {
  const wire = Buffer.from(text, 'base64')
  if (wire.length > 1232 || wire.toString('base64') !== text) return undefined
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(wire)
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
    if (!isPlain(compiled)) return undefined
    const again = Buffer.from(getCompiledTransactionMessageEncoder().encode(compiled))
    if (!again.equals(Buffer.from(messageBytes))) return undefined
    const { instructions } = decompileTransactionMessage(compiled)
    const calls = [...instructions].map((one: Instruction) => callOf(one))
    const [feePayer, ...others] = compiled.staticAccounts
    const named = new Set(
      calls.flatMap(({ program, accounts }) => [program, ...accounts.map(({ address }) => address)]),
    )
    if (!others.every((address) => named.has(address))) return undefined
    const slots = Object.values(signatures)
    const [first, ...rest] = slots
    return {
      signers: compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts),
      writable: compiled.staticAccounts.filter((_, index) => isWritable(compiled, index)).sort(),
      instructions: calls,
      isSigned:
        first != null &&
        rest.every((slot) => slot === null) &&
        verifies(feePayer, Buffer.from(first), messageBytes),
    }
  } catch {
    return undefined
  }
}

/** Legacy, or version 0 without lookup tables; no account twice; the owner pays and is no program. */
function isPlain(compiled: CompiledTransactionMessage): boolean {
  const { header, staticAccounts } = compiled
  if (compiled.version !== 'legacy' && compiled.version !== 0) return false
  if ('addressTableLookups' in compiled && (compiled.addressTableLookups ?? []).length > 0) return false
  return (
    new Set(staticAccounts).size === staticAccounts.length &&
    header.numReadonlySignerAccounts < header.numSignerAccounts &&
    header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticAccounts.length &&
    compiled.instructions.every(({ programAddressIndex }) => programAddressIndex > 0)
  )
}

function isWritable({ header, staticAccounts }: CompiledTransactionMessage, index: number): boolean {
  const { numSignerAccounts: signers } = header
  if (index < signers) return index < signers - header.numReadonlySignerAccounts
  return index < staticAccounts.length - header.numReadonlyNonSignerAccounts
}

const callOf = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): Call => ({
  program: programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: [...data],
})

/** One limit of at most 1.4 million units, one price, and at most 0.01 SOL for all units. */
function isModest(budget: Call[]): boolean {
  const [limits, prices] = [2, 3].map((index) => budget.filter(({ data }) => data[0] === index))
  const [limit, price] = [limits?.[0], prices?.[0]]
  if (budget.length !== (limit ? 1 : 0) + (price ? 1 : 0)) return false
  if (limit && (limit.data.length !== 5 || limit.accounts.length > 0)) return false
  if (price && (price.data.length !== 9 || price.accounts.length > 0)) return false
  const units = limit ? Buffer.from(limit.data).readUInt32LE(1) : 1_400_000
  const microLamports = price ? Buffer.from(price.data).readBigUInt64LE(1) : 0n
  return units <= 1_400_000 && BigInt(units) * microLamports <= 10_000_000n * 1_000_000n
}

function verifies(by: Address | undefined, signature: Buffer, message: ArrayLike<number>): boolean {
  if (!by) return false
  const raw = Buffer.from(getAddressEncoder().encode(by))
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  })
  return verify(null, Uint8Array.from(message), key, signature)
}
