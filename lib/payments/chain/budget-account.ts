import { type Cred, cred } from '../../../schema/amounts.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import { isVacant, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { type ChainAccount, decodeTokenAccount } from '../../solana/token-state.ts'

/** An open budget account: its balance, and its delegate's allowance. */
type OpenBudget = {
  kind: 'open'
  balance: Cred
  /** 0 unless the delegate is one of the owner's payout accounts. */
  allowance: Cred
  /** The key version of the payout account that is its delegate. */
  keyVersion: number | undefined
  isFrozen: boolean
}

/**
 * The account at a budget account's address. `absent`: no account, but perhaps lamports. `foreign`: the hirer
 * gave the account away or created another one there.
 */
export type BudgetState = { kind: 'absent'; lamports: bigint } | OpenBudget | { kind: 'foreign' }

/**
 * Returns the state of the account at a budget account's address.
 * @param expected.collectors the key versions of the owner's payout accounts, by address
 */
export function budgetState(
  account: ChainAccount | undefined,
  expected: { hirer: Address; mint: Address; collectors: Map<Address, number> },
): BudgetState {
  if (isVacant(account)) return { kind: 'absent', lamports: account?.lamports ?? 0n }
  const token = decodeTokenAccount(account)
  if (token?.mint !== expected.mint || token.owner !== expected.hirer) return { kind: 'foreign' }
  const keyVersion = token.delegate && expected.collectors.get(token.delegate)
  return {
    kind: 'open',
    balance: cred(token.amount),
    allowance: cred(keyVersion === undefined ? 0n : token.delegatedAmount),
    keyVersion,
    isFrozen: token.state === 'frozen',
  }
}

/**
 * Derives the address of a hire's budget account. It needs no row, so that an account is found that was
 * opened without the service. If the hirer creates another account there, the hire's `budgetNumber` rises by
 * one.
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

/** Returns the amount that can be collected from a budget account now. */
export function collectibleOf(state: BudgetState): Cred {
  if (state.kind !== 'open' || state.isFrozen) return cred(0n)
  return state.allowance < state.balance ? state.allowance : state.balance
}
