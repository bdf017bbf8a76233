import type { Address } from '../../../schema/wallet.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { foundAs, recordFound } from '../budgets/budget-discovery.ts'
import { budgetAccount, budgetState } from '../chain/budget-account.ts'
import type { BuildDeps, PaymentSettleDeps } from '../chain-deps.ts'
import { collectorsOf, keyVersionsBy } from '../guards.ts'
import { type HireOfAll, selectCollectorOwners, selectHiresOfAll } from './restore-queries.ts'

/** Dependencies of a restore. It reads the chain from the time `since`; a plan records nothing. */
export type RestoreDeps = PaymentSettleDeps &
  Pick<BuildDeps, 'settings' | 'feeBps'> & { notify: Notify; since: Date; isPlan: boolean }

/** A funded budget account that is not recorded as funded. */
export type FundedBudget = { hireId: string; address: Address; collectible: bigint }

const ACCOUNTS_PER_CALL = 100

/** A hire and its budget account. */
export type Account = { hireId: string; account: SeededAccount }

/** Finds and records the funded budget accounts that are not recorded as funded, of all hires. */
export async function findBudgets(deps: RestoreDeps) {
  const { db, rpc, now, settings, isPlan } = deps
  const accounts = new Map<Address, Account>()
  const hireIds = new Set<string>()
  const owners = new Set<Address>(await selectCollectorOwners(db))
  const funded: FundedBudget[] = []
  for (let after: string | undefined; ; ) {
    const hires = await selectHiresOfAll(db, { after, now, limit: ACCOUNTS_PER_CALL })
    const candidates = await Promise.all(hires.map((hire) => whereOf(hire, deps)))
    for (const { hireId, account, next, owner, recordedAddress } of candidates) {
      hireIds.add(hireId)
      owners.add(owner)
      for (const known of [account, next]) accounts.set(known.address, { hireId, account: known })
      // Its row exists, so nothing reads this entry's seed.
      if (recordedAddress) accounts.set(recordedAddress, { hireId, account })
    }
    const open = candidates.filter(({ isOver }) => !isOver)
    const seen = open.length > 0 ? await rpc.accounts(open.map(({ account }) => account.address)) : undefined
    const found = open.flatMap(({ hireId, hirer, account, collectors, ...hire }, i) => {
      const one = foundAs(
        { hireId, account },
        budgetState(seen?.accounts[i], { hirer, mint: settings.mint, collectors }),
      )
      const { recordedAddress, recordedKeyVersion } = hire
      const isKnown = recordedAddress === account.address && recordedKeyVersion !== null
      return one && !(isKnown && recordedKeyVersion <= one.keyVersion) ? [one] : []
    })
    if (!isPlan) await recordFound({ db, now, notify: () => {} }, found)
    for (const { hireId, account, collectible } of found)
      funded.push({ hireId, address: account.address, collectible })
    after = hires.at(-1)?.hireId
    if (hires.length < ACCOUNTS_PER_CALL) return { funded, accounts, hireIds, owners }
  }
}

const whereOf = async (hire: HireOfAll, { settings }: RestoreDeps) => ({
  ...hire,
  account: await budgetAccount(hire.hirer, hire),
  /** Its address if the hirer created another account at the first one after the backup. */
  next: await budgetAccount(hire.hirer, { ...hire, budgetNumber: hire.budgetNumber + 1 }),
  collectors: keyVersionsBy(await collectorsOf(settings, hire.owner)),
})
