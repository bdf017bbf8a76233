import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { LIGHTHOUSE_PROGRAM } from '../../solana/programs/programs.ts'

/*
 * Checks the guards of a transaction. A guard is an instruction of the program Lighthouse that a wallet adds
 * before it signs. It asserts something about an account, such as a balance; the transaction fails if that is
 * not so.
 *
 * The service signs a transaction if its simulation succeeds. A guard about the time, or about an account
 * that others change, can hold in the simulation and fail on the chain. So a wallet could make transactions
 * fail after the service has signed them. For payments for requests, the service also pays the network fee.
 */

/**
 * The instructions of Lighthouse that a wallet may add, by the first byte of their data. Each reads an
 * account, and fails or does nothing. Not allowed: MemoryWrite (0) and MemoryClose (1), which create and
 * close accounts; AssertSysvarClock (15), which depends on the time; and AssertMerkleTreeAccount (16), which
 * calls another program. Source: `LighthouseInstruction`, programs/lighthouse/src/instruction.rs of
 * github.com/Jac0xb/lighthouse.
 */
const ALLOWED_ASSERTIONS: Record<number, string> = {
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

/** `guard_names_others`: a guard names an account that guards may not name. */
type GuardError = 'guard_not_allowed' | 'guard_names_others' | 'too_many_guards'

export const isGuard = ({ program }: Instruction): boolean => program === LIGHTHOUSE_PROGRAM

/**
 * Returns the first error in a transaction's guards; undefined if they may be signed.
 * @param guardable the accounts that guards may name: the wallet's own accounts in the transaction that the
 *   service has built, and the mint. Others can change after the simulation, as a vote account does. The
 *   service's signer is never one of them: Lighthouse would get its signature, because the accounts of a
 *   message have the same privileges in each of its instructions
 */
export function guardError(guards: Instruction[], guardable: ReadonlySet<Address>): GuardError | undefined {
  if (guards.length > MAX_GUARDS) return 'too_many_guards'
  if (!guards.every(({ data: [index] }) => index !== undefined && index in ALLOWED_ASSERTIONS))
    return 'guard_not_allowed'
  const named = guards.flatMap(({ accounts }) => accounts)
  return named.every(({ address }) => guardable.has(address)) ? undefined : 'guard_names_others'
}
