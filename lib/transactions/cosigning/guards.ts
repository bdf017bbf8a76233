import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { LIGHTHOUSE_PROGRAM } from '../../solana/programs/programs.ts'

/**
 * The instructions of Lighthouse that a wallet may add: each reads an account, and fails or does nothing. The
 * index is the first byte of the data. Not allowed: MemoryWrite (0) and MemoryClose (1), which create and
 * close accounts; AssertSysvarClock (15), which passes a simulation and fails on the chain at will; and
 * AssertMerkleTreeAccount (16), which calls another program. Source: `LighthouseInstruction`,
 * programs/lighthouse/src/instruction.rs of github.com/Jac0xb/lighthouse.
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
  17: 'AssertBubblegumTreeConfigAccount',
}

/** Twice what Phantom was seen to add. */
const MAX_GUARDS = 8

type GuardError = 'guard_not_allowed' | 'guard_names_others' | 'too_many_guards'

export const isGuard = ({ program }: Instruction): boolean => program === LIGHTHOUSE_PROGRAM

/**
 * Returns the error in a transaction's guards. They may name the wallet's own accounts in the recorded
 * transaction, or the mint. An assertion on an account that changes by itself, such as a vote account, passes
 * the simulation and fails on the chain at will. No guard names the authority: privileges belong to the
 * message, so Lighthouse would get the authority's signature with it.
 * @param guardable the accounts that they may name
 */
export function guardError(guards: Instruction[], guardable: ReadonlySet<Address>): GuardError | undefined {
  if (guards.length > MAX_GUARDS) return 'too_many_guards'
  if (!guards.every(({ data: [index] }) => index !== undefined && index in ASSERTIONS))
    return 'guard_not_allowed'
  const named = guards.flatMap(({ accounts }) => accounts)
  return named.every(({ address }) => guardable.has(address)) ? undefined : 'guard_names_others'
}
