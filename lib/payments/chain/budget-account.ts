import { type Cred, cred } from '../../../schema/amounts.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import { isVacant, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { type ChainAccount, decodeTokenAccount } from '../../solana/token-state.ts'

/** An open budget account: its balance, and the allowance of its delegate. */
type OpenBudget = {
  kind: 'open'
  balance: Cred
  /** 0 unless the delegate is one of the owner's collectors. */
  allowance: Cred
  /** The key generation of the collector that is its delegate. */
  generation: number | undefined
  isFrozen: boolean
}

/**
 * The account at a budget account's address: none (but perhaps lamports), the budget account, or something
 * else: its hirer can give it away or make another account there.
 */
export type BudgetState = { kind: 'absent'; lamports: bigint } | OpenBudget | { kind: 'foreign' }

/**
 * Tells which account is at a budget account's address.
 * @param expected.collectors the collectors of the agent's owner by address, with their key generations
 */
export function budgetState(
  account: ChainAccount | undefined,
  expected: { hirer: Address; mint: Address; collectors: Map<Address, number> },
): BudgetState {
  if (isVacant(account)) return { kind: 'absent', lamports: account?.lamports ?? 0n }
  const token = decodeTokenAccount(account)
  if (token?.mint !== expected.mint || token.owner !== expected.hirer) return { kind: 'foreign' }
  const generation = token.delegate && expected.collectors.get(token.delegate)
  return {
    kind: 'open',
    balance: cred(token.amount),
    allowance: cred(generation === undefined ? 0n : token.delegatedAmount),
    generation,
    isFrozen: token.state === 'frozen',
  }
}

/**
 * Derives where a hire's budget account is, or would be: without a row of it, too, so that one is found that
 * was opened past the service. Its hirer can put something else there; the hire's number rises by one then.
 */
export const budgetAccount = async (
  hirer: Address,
  { hireId, budgetNumber }: { hireId: string; budgetNumber: number },
): Promise<SeededAccount> =>
  seededTokenAccount(
    hirer,
    budgetNumber === 0
      ? hireId.replaceAll('-', '')
      : (await sha256Hex(`${hireId}:${budgetNumber}`)).slice(0, 32),
  )

/** How much could be collected from it now. */
export function collectibleOf(state: BudgetState): Cred {
  if (state.kind !== 'open' || state.isFrozen) return cred(0n)
  return state.allowance < state.balance ? state.allowance : state.balance
}
