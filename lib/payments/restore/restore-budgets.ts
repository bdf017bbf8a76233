import type { Address } from '../../../schema/wallet.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { foundAs, recordFound } from '../budgets/budget-discovery.ts'
import { budgetAccount, budgetState } from '../chain/budget-account.ts'
import type { BuildDeps, PaymentSettleDeps } from '../chain-deps.ts'
import { collectorsOf, generationsBy } from '../guards.ts'
import { type HireOfAll, selectCollectorOwners, selectHiresOfAll } from './restore-queries.ts'

/** What a restore of payments needs: `since` is where it begins to read the chain; a plan records nothing. */
export type RestoreDeps = PaymentSettleDeps &
  Pick<BuildDeps, 'settings' | 'feeBps'> & { since: Date; isPlan: boolean }

/** A budget account that is funded, and not recorded so. */
export type FundedBudget = { hireId: string; address: Address; collectible: bigint }

const ACCOUNTS_PER_CALL = 100

/** A hire and its budget account. */
export type Account = { hireId: string; account: SeededAccount }

/** Finds funded budget accounts of all hires that are not recorded so, and records them. */
export async function findBudgets(deps: RestoreDeps) {
  const { db, rpc, now, settings, isPlan } = deps
  const accounts = new Map<Address, Account>()
  const hireIds = new Set<string>()
  const owners = new Set<Address>(await selectCollectorOwners(db))
  const funded: FundedBudget[] = []
  for (let after: string | undefined; ; ) {
    const hires = await selectHiresOfAll(db, { after, now, limit: ACCOUNTS_PER_CALL })
    const sought = await Promise.all(hires.map((hire) => whereOf(hire, deps)))
    for (const { hireId, account, next, owner, recordedAddress } of sought) {
      hireIds.add(hireId)
      owners.add(owner)
      for (const known of [account, next]) accounts.set(known.address, { hireId, account: known })
      // Its seed is not asked for: the row is there.
      if (recordedAddress) accounts.set(recordedAddress, { hireId, account })
    }
    const open = sought.filter(({ isOver }) => !isOver)
    const seen = open.length > 0 ? await rpc.accounts(open.map(({ account }) => account.address)) : undefined
    const found = open.flatMap(({ hireId, hirer, account, collectors, ...hire }, i) => {
      const one = foundAs(
        { hireId, account },
        budgetState(seen?.accounts[i], { hirer, mint: settings.mint, collectors }),
      )
      const { recordedAddress, recordedGeneration } = hire
      const isKnown = recordedAddress === account.address && recordedGeneration !== null
      return one && !(isKnown && recordedGeneration <= one.generation) ? [one] : []
    })
    if (!isPlan) await recordFound({ db, now, nudge: () => {} }, found)
    for (const { hireId, account, collectible } of found)
      funded.push({ hireId, address: account.address, collectible })
    after = hires.at(-1)?.hireId
    if (hires.length < ACCOUNTS_PER_CALL) return { funded, accounts, hireIds, owners }
  }
}

const whereOf = async (hire: HireOfAll, { settings }: RestoreDeps) => ({
  ...hire,
  account: await budgetAccount(hire.hirer, hire),
  /** Where it is if its hirer has put something else at that address in the lost time. */
  next: await budgetAccount(hire.hirer, { ...hire, budgetNumber: hire.budgetNumber + 1 }),
  collectors: generationsBy(await collectorsOf(settings, hire.owner)),
})
