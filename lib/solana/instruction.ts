import type { Address } from './address.ts'

/** An account of an instruction, and whether it must sign and be writable. */
export type AccountMeta = { address: Address; isSigner: boolean; isWritable: boolean }

/** One call of a program. */
export type Instruction = { program: Address; accounts: AccountMeta[]; data: Uint8Array }

export const readonly = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: false })
export const writable = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: true })
export const signer = (address: Address): AccountMeta => ({ address, isSigner: true, isWritable: false })
export const payer = (address: Address): AccountMeta => ({ address, isSigner: true, isWritable: true })
