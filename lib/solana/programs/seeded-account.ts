import { randomHex } from '../../keys/bytes.ts'
import { type Address, createWithSeed } from '../address.ts'
import type { Instruction } from '../instruction.ts'
import type { ChainAccount } from '../token-state.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.ts'
import { allocateWithSeed, assignWithSeed, type SeededAccount, transfer } from './system.ts'

/**
 * Derives an account of the Token program that only the owner can create: a token account, a multisig.
 * @param seed at most 32 bytes
 */
export const seededTokenAccount = async (owner: Address, seed: string): Promise<SeededAccount> => ({
  address: await createWithSeed(owner, seed, TOKEN_PROGRAM),
  base: owner,
  seed,
  program: TOKEN_PROGRAM,
})

/** Makes a random seed for a new account: 128 bits, so that nobody can take its address first. */
export const randomSeed = (): string => randomHex(16)

/** Returns whether an address has nothing but lamports, which anyone can send there. */
export const isVacant = (account: ChainAccount | undefined): boolean =>
  !account || (account.owner === SYSTEM_PROGRAM && account.data.length === 0)

/**
 * Creates an account in steps. The single step CreateAccountWithSeed refuses an address with a lamport, and
 * anyone can send one there: a stranger could block an owner's address for ever.
 * @param rent the lamports that the account must hold
 * @param held the lamports at its address
 */
export const createInSteps = (
  account: SeededAccount,
  { bytes, rent, held }: { bytes: number; rent: bigint; held: bigint },
): Instruction[] => [
  ...(rent > held ? [transfer(account.base, account.address, rent - held)] : []),
  allocateWithSeed(account, BigInt(bytes)),
  assignWithSeed(account),
]
