import { base58 } from '../encoding.ts'
import type { Instruction } from './message.ts'

/** Formats base units (10^-9 of CRED or SOL) as memos do: exact, without commas. */
export function cred(amount: bigint): string {
  const digits = String(amount).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}

/** Reads bytes as text, one character for each. React Native has no TextDecoder; the lists are all ASCII. */
export const latin1 = (bytes: Uint8Array = new Uint8Array()): string => String.fromCharCode(...bytes)

/** Reads an address in an instruction's data; the empty text beyond its end. */
export const addressIn = (instruction: Instruction | undefined, offset: number): string =>
  base58(instruction?.data.slice(offset, offset + 32) ?? new Uint8Array())

/** The offset and length of the seed in the data of a new account. */
const SEED_AT = 4 + 32 + 8
const SEED_LENGTH = 32

/** Reads the seed of a new account. Its shape is the service's: 32 hex digits. */
export function seedIn(instruction: Instruction | undefined): string {
  const seed = latin1(instruction?.data.slice(SEED_AT, SEED_AT + SEED_LENGTH))
  return /^[0-9a-f]{32}$/.test(seed) ? seed : ''
}
