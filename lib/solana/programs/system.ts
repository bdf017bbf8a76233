import { concat, u32, u64, utf8 } from '../../keys/bytes.ts'
import { type Address, addressBytes } from '../address.ts'
import { type Instruction, payer, signer, writable } from '../instruction.ts'
import { SYSTEM_PROGRAM } from './programs.ts'

/**
 * The System program's instructions, from solana-system-interface (`SystemInstruction`, in bincode: a 32-bit
 * index, then the fields; a string is its 64-bit length and its UTF-8).
 */
const TRANSFER = 2
const CREATE_ACCOUNT_WITH_SEED = 3
const ALLOCATE_WITH_SEED = 9
const ASSIGN_WITH_SEED = 10

/** An account at createWithSeed(base, seed, program); `base` must sign for it. */
export type SeededAccount = { address: Address; base: Address; seed: string; program: Address }

/** Moves SOL. */
export const transfer = (from: Address, to: Address, lamports: bigint): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [payer(from), writable(to)],
  data: concat(u32(TRANSFER), u64(lamports)),
})

/**
 * Reads the lamports that an instruction moves from its first account; undefined for any other instruction.
 */
export function lamportsIn({ program, data }: Instruction): bigint | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const u64At = (offset: number) => (data.length >= offset + 8 ? view.getBigUint64(offset, true) : undefined)
  if (program !== SYSTEM_PROGRAM || data.length < 4) return undefined
  switch (view.getUint32(0, true)) {
    case TRANSFER:
      return u64At(4)
    case CREATE_ACCOUNT_WITH_SEED: {
      const seedBytes = u64At(36)
      return seedBytes === undefined ? undefined : u64At(44 + Number(seedBytes))
    }
    default:
      return undefined
  }
}

/**
 * Creates an account and pays its rent, both from its base. Fails if the address already has lamports.
 */
export const createAccountWithSeed = (
  { address, base, seed, program }: SeededAccount,
  lamports: bigint,
  space: bigint,
): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [payer(base), writable(address)],
  data: concat(
    u32(CREATE_ACCOUNT_WITH_SEED),
    addressBytes(base),
    seedString(seed),
    u64(lamports),
    u64(space),
    addressBytes(program),
  ),
})

/**
 * Reads the account that an instruction creates with a seed, and the seed; undefined for any other one.
 */
export function seedIn({ program, accounts, data }: Instruction): [Address, string] | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [, account] = accounts
  if (program !== SYSTEM_PROGRAM || data.length < 44 || !account) return undefined
  if (view.getUint32(0, true) !== CREATE_ACCOUNT_WITH_SEED) return undefined
  const end = 44 + Number(view.getBigUint64(36, true))
  return [account.address, new TextDecoder().decode(data.subarray(44, end))]
}

/** Gives an empty account of the System program its size, with any lamports in it. */
export const allocateWithSeed = (
  { address, base, seed, program }: SeededAccount,
  space: bigint,
): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [writable(address), signer(base)],
  data: concat(
    u32(ALLOCATE_WITH_SEED),
    addressBytes(base),
    seedString(seed),
    u64(space),
    addressBytes(program),
  ),
})

/** Assigns an account of the System program to the program of its seed. */
export const assignWithSeed = ({ address, base, seed, program }: SeededAccount): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [writable(address), signer(base)],
  data: concat(u32(ASSIGN_WITH_SEED), addressBytes(base), seedString(seed), addressBytes(program)),
})

function seedString(seed: string): Uint8Array {
  const bytes = utf8(seed)
  return concat(u64(BigInt(bytes.length)), bytes)
}
