import type { Message } from './transaction.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n
const MAX_COMPUTE_UNITS = 1_400_000n
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const SET_COMPUTE_UNIT_LIMIT = 2
const SET_COMPUTE_UNIT_PRICE = 3

/** Compute units that an instruction is given when the message sets no limit (SIMD-0170). */
const BUILTIN_UNITS = 3_000n
const PROGRAM_UNITS = 200_000n
const BUILTINS = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
])

/** Their first data byte counts signatures, and each is paid for like one of the transaction. */
const SIGNATURE_PROGRAMS = new Set([
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
])

/**
 * The fee of a message in lamports: its signatures, and price times limit of the compute budget, rounded up.
 * LiteSVM charges the same but does not say how much; a test compares the two.
 */
export function feeOf(message: Message): bigint {
  let signatures = BigInt(message.header.numSignerAccounts)
  let limit: bigint | undefined
  let price = 0n
  let defaultUnits = 0n
  for (const { programIndex, data } of message.instructions) {
    const program = message.staticKeys[programIndex] ?? ''
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    defaultUnits += BUILTINS.has(program) ? BUILTIN_UNITS : PROGRAM_UNITS
    if (SIGNATURE_PROGRAMS.has(program)) signatures += BigInt(data[0] ?? 0)
    if (program !== COMPUTE_BUDGET) continue
    if (data[0] === SET_COMPUTE_UNIT_LIMIT && data.length >= 5) limit = BigInt(view.getUint32(1, true))
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= 9) price = view.getBigUint64(1, true)
  }
  const wanted = limit ?? defaultUnits
  const units = wanted < MAX_COMPUTE_UNITS ? wanted : MAX_COMPUTE_UNITS
  const priority = (price * units + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT
  return signatures * LAMPORTS_PER_SIGNATURE + priority
}
