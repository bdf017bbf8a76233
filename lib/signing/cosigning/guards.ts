import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { LIGHTHOUSE_PROGRAM } from '../../solana/programs/programs.ts'

/**
 * What a wallet may add: the instructions of Lighthouse that read an account and fail, or do nothing. The
 * index is the first byte of the data. Not among them: MemoryWrite (0) and MemoryClose (1), which create and
 * close accounts, and AssertMerkleTreeAccount (16), which calls another program.
 * Source: `LighthouseInstruction`, programs/lighthouse/src/instruction.rs of github.com/Jac0xb/lighthouse.
 */
const ASSERTIONS: Record<number, string> = {
  2: 'AssertAccountData',
  3: 'AssertAccountDataMulti',
  4: 'AssertAccountDelta',
  5: 'AssertAccountInfo',
  6: 'AssertAccountInfoMulti',
  7: 'AssertMintAccount',
  8: 'AssertMintAccountMulti',
  9: 'AssertTokenAccount',
  10: 'AssertTokenAccountMulti',
  11: 'AssertStakeAccount',
  12: 'AssertStakeAccountMulti',
  13: 'AssertUpgradeableLoaderAccount',
  14: 'AssertUpgradeableLoaderAccountMulti',
  15: 'AssertSysvarClock',
  17: 'AssertBubblegumTreeConfigAccount',
}

/** Twice what Phantom was seen to add. */
const MAX_GUARDS = 8

type GuardFault = 'guard_not_allowed' | 'guard_names_authority' | 'too_many_guards'

export const isGuard = ({ program }: Instruction): boolean => program === LIGHTHOUSE_PROGRAM

/**
 * Tells what is wrong with the guards of a transaction. None may name the authority: privileges are the
 * message's, so Lighthouse would get the authority's signature with it.
 * @param authority undefined where the owner signs alone
 */
export function guardFault(guards: Instruction[], authority: Address | undefined): GuardFault | undefined {
  if (guards.length > MAX_GUARDS) return 'too_many_guards'
  if (!guards.every(({ data: [index] }) => index !== undefined && index in ASSERTIONS))
    return 'guard_not_allowed'
  const named = guards.flatMap(({ accounts }) => accounts)
  return named.some(({ address }) => address === authority) ? 'guard_names_authority' : undefined
}
