import {
  networkFee,
  SET_COMPUTE_UNIT_LIMIT,
  SET_COMPUTE_UNIT_PRICE,
} from '../../solana/programs/compute-budget.ts'
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../../solana/programs/programs.ts'
import type { Message } from './transaction.ts'

const MAX_COMPUTE_UNITS = 1_400_000

/** Compute units of an instruction if the message sets no limit (SIMD-0170). */
const BUILTIN_UNITS = 3_000
const PROGRAM_UNITS = 200_000
const BUILTINS = new Set<string>([
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
])

/** Programs whose first data byte is a number of signatures, each paid for like one of the transaction. */
const SIGNATURE_PROGRAMS = new Set([
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
])

/**
 * Computes the fee of a message in lamports: its signatures, and price times limit of the compute budget.
 * LiteSVM charges the same, but does not report it. A test compares the two.
 */
export function feeOf(message: Message): bigint {
  let signatures = message.header.numSignerAccounts
  let limit: number | undefined
  let price = 0n
  let defaultUnits = 0
  for (const { programIndex, data } of message.instructions) {
    const program = message.staticKeys[programIndex] ?? ''
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    defaultUnits += BUILTINS.has(program) ? BUILTIN_UNITS : PROGRAM_UNITS
    if (SIGNATURE_PROGRAMS.has(program)) signatures += data[0] ?? 0
    if (program !== COMPUTE_BUDGET_PROGRAM) continue
    if (data[0] === SET_COMPUTE_UNIT_LIMIT && data.length >= 5) limit = view.getUint32(1, true)
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= 9) price = view.getBigUint64(1, true)
  }
  return networkFee(signatures, Math.min(limit ?? defaultUnits, MAX_COMPUTE_UNITS), price)
}
