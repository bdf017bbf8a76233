import type { Cred } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { type BudgetState, budgetAccount, budgetState, collectibleOf } from '../chain/budget-account.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { collectorsOf, keyVersionsBy } from '../guards.ts'

/*
 * Finds budget accounts that were funded without the relay: a wallet can send its transaction itself. Stores
 * nothing about an account that is not found.
 */

/** A hire whose budget account is not recorded. */
type UnfoundBudget = { hireId: string; hirer: Wallet; owner: Wallet; budgetNumber: number }

export type DiscoveryDeps = Pick<BuildDeps, 'db' | 'rpc' | 'now' | 'settings'> & { notify: Notify }

/** Accounts that one RPC call reads. */
const ACCOUNTS_PER_CALL = 100

/** Hires per run. */
const MAX_SOUGHT = 3 * ACCOUNTS_PER_CALL

/** A hire's account as it was found, and the amount that can be collected from it. */
type FoundBudget = { hireId: string; account: SeededAccount; keyVersion: number; collectible: Cred }

/** Returns the account if it is a funded budget account with the right owner, mint and delegate. */
export function foundAs(
  at: { hireId: string; account: SeededAccount },
  state: BudgetState,
): FoundBudget | undefined {
  const collectible = collectibleOf(state)
  if (state.kind !== 'open' || state.keyVersion === undefined || collectible === 0n) return undefined
  return { ...at, keyVersion: state.keyVersion, collectible }
}

/** Records accounts that were found. @returns the hires whose accounts are now recorded at these addresses */
export async function recordFound(
  { db, now, notify }: Pick<DiscoveryDeps, 'db' | 'now' | 'notify'>,
  found: FoundBudget[],
): Promise<string[]> {
  if (found.length === 0) return []
  const { recorded, toNotify } = await postgres.recordFoundBudgets.call(db, {
    hireIds: found.map(({ hireId }) => hireId),
    addresses: found.map(({ account }) => account.address),
    seeds: found.map(({ account }) => account.seed),
    keyVersions: found.map(({ keyVersion }) => keyVersion),
    payables: found.map(({ collectible }) => collectible),
    now,
  })
  notify(toNotify)
  return recorded
}

/**
 * Looks for the budget accounts of at most ACCOUNTS_PER_CALL hires in one RPC call, and records the funded
 * ones.
 * @returns the number of hires whose account is recorded now
 * @throws ApiError dependency_unavailable
 */
export async function discoverBudgets(deps: DiscoveryDeps, hires: UnfoundBudget[]): Promise<number> {
  if (hires.length === 0) return 0
  const { mint } = deps.settings
  const candidates = await Promise.all(
    hires.map(async (hire) => ({
      ...hire,
      account: await budgetAccount(hire.hirer, hire),
      collectors: keyVersionsBy(await collectorsOf(deps.settings, hire.owner)),
    })),
  )
  const { accounts } = await deps.rpc.accounts(candidates.map(({ account }) => account.address))
  const found = candidates.flatMap(
    ({ hireId, hirer, account, collectors }, i) =>
      foundAs({ hireId, account }, budgetState(accounts[i], { hirer, mint, collectors })) ?? [],
  )
  return (await recordFound(deps, found)).length
}

/** Looks for the budget accounts of hires with due charges, the longest waiting first. */
export async function discoverDueBudgets(deps: DiscoveryDeps): Promise<{ sought: number; found: number }> {
  const hires = await postgres.takeUndiscoveredBudgets.rows(deps.db, { now: deps.now, limit: MAX_SOUGHT })
  let found = 0
  for (let start = 0; start < hires.length; start += ACCOUNTS_PER_CALL)
    found += await discoverBudgets(deps, hires.slice(start, start + ACCOUNTS_PER_CALL))
  return { sought: hires.length, found }
}
