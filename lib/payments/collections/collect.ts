import { type Cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import type { Address } from '../../solana/address.ts'
import { type ChainView, lookUp } from '../../solana/look-up.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { foundAs, recordFound } from '../budgets/budget-discovery.ts'
import { budgetAccount, budgetState } from '../chain/budget-account.ts'
import { buildCollection } from '../chain/collection.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { collectorsOf, keyVersionsBy, payoutState, requireEligible, requireTreasury } from '../guards.ts'
import { treasuryOf } from '../keys.ts'
import {
  type BuiltPayment,
  costWords,
  intentOf,
  networkOf,
  newIntentId,
  newlyBuilt,
  rentToBePaid,
} from '../transactions/building.ts'
import type { NewIntent } from '../transactions/intent-queries.ts'
import { type CollectedLeg, MAX_CHARGES, type Plan, planOf } from './collection-plan.ts'
import { recordReading, selectDue } from './due-queries.ts'

/** Budget accounts that are read for one collection. The others come first in the next one. */
const ACCOUNTS_READ = 24

/** Hires without a recorded budget account that are read, too: it may have been funded without the relay. */
const MAX_UNDISCOVERED = 48

/** A built collection: its amount and fee, and the numbers of its charges and accounts. */
export type BuiltCollection = BuiltPayment & {
  collection: { amount: Cred; fee: Cred; charges: number; accounts: number }
}

type CollectDeps = BuildDeps & { notify: Notify }

/**
 * Builds the transaction that pays an owner's recorded charges from the budget accounts of their hires, less
 * the protocol fee. It takes as many accounts as fit, and leaves out accounts that can't pay. It replaces the
 * owner's unsigned collection.
 * @throws ApiError wallet_not_eligible, nothing_to_collect, payout_account_unusable, charges_changed,
 *   treasury_unavailable, dependency_unavailable
 */
export async function collect(
  deps: CollectDeps,
  owner: Wallet,
  { hireId }: { hireId?: string | undefined },
): Promise<BuiltCollection> {
  requireEligible(deps.settings, owner)
  const { due, undiscovered } = await selectDue(deps.db, {
    owner,
    hireId,
    now: deps.now,
    accounts: ACCOUNTS_READ,
    undiscovered: MAX_UNDISCOVERED,
    charges: MAX_CHARGES,
  })
  if (due.length + undiscovered.length === 0) {
    throw new ApiError('nothing_to_collect', 'No charge is due on a hire that has a budget account.')
  }
  const { plan, ownerTokens, seen, readHires } = await planFrom(deps, owner, { due, undiscovered })
  if (!plan) {
    await recordReading(deps.db, { owner, readHires, now: deps.now })
    throw new ApiError(
      'nothing_to_collect',
      'No hire budget has enough to pay one of its due charges. Ask the hirer to add funds.',
    )
  }
  return record(deps, owner, { plan, ownerTokens, seen, readHires })
}

/**
 * Reads the accounts in one wave of RPC calls, records funded accounts of `undiscovered` hires, and chooses
 * the charges to pay.
 */
async function planFrom(
  deps: CollectDeps,
  owner: Wallet,
  { due, undiscovered }: Awaited<ReturnType<typeof selectDue>>,
) {
  const located = await Promise.all(
    undiscovered.map(async (hire) => ({ ...hire, account: await budgetAccount(hire.hirer, hire) })),
  )
  const { feeBps, settings } = deps
  const { mint } = settings
  const { accounts, at, ...seen } = await lookUp(deps, {
    ownerTokens: await associatedTokenAddress(owner, mint),
    treasury: await treasuryOf(settings),
    ...Object.fromEntries(due.map(({ address }) => [address, address])),
    ...Object.fromEntries(located.map(({ account: { address } }) => [address, address])),
  })
  requireTreasury(settings, accounts.treasury)
  const ownerTokens = payoutState(accounts.ownerTokens, { owner, mint })
  const collectors = keyVersionsBy(await collectorsOf(settings, owner))
  const stateOf = (hirer: Wallet, address: Address) => budgetState(at(address), { hirer, mint, collectors })
  const recorded = await recordFound(
    deps,
    located.flatMap(
      ({ hireId, hirer, account }) => foundAs({ hireId, account }, stateOf(hirer, account.address)) ?? [],
    ),
  )
  const found = located
    .filter(({ hireId }) => recorded.includes(hireId))
    .map(({ account, budgetNumber, ...hire }) => ({ ...hire, address: account.address }))
  const candidates = [...due, ...found].map((hire) => ({ ...hire, state: stateOf(hire.hirer, hire.address) }))
  const readHires = candidates.map(({ hireId }) => hireId)
  return { plan: planOf(candidates, { ownerTokens, feeBps }), ownerTokens, seen, readHires }
}

async function record(
  deps: BuildDeps,
  owner: Wallet,
  {
    plan,
    ownerTokens,
    seen,
    readHires,
  }: { plan: Plan; ownerTokens: 'open' | 'absent'; seen: ChainView; readHires: string[] },
): Promise<BuiltCollection> {
  const { feeBps, settings } = deps
  const { keyVersion, legs } = plan
  const keys = settings.keyVersions.find((known) => known.keyVersion === keyVersion)
  if (!keys) throw new Error(`key version ${keyVersion} is not configured`)
  const id = newIntentId(deps)
  const built = await buildCollection({
    id,
    owner,
    keys,
    mint: settings.mint,
    treasury: await treasuryOf(settings),
    ownerTokens,
    legs,
    network: networkOf(deps, seen),
  })
  const amount = sumOf(legs.map((leg) => leg.amount))
  const fee = sumOf(legs.map((leg) => leg.fee))
  const charges = legs.flatMap((leg) => leg.charges).length
  const message = `Signing collects ${formatAmount(amount)} CRED for ${charges} ${charges === 1 ? 'charge' : 'charges'}, of which ${formatAmount(fee)} CRED go to the treasury. ${costWords(built, rentToBePaid(ownerTokens, seen))}`
  const intent = intentOf(deps, { id, wallet: owner, keyVersion, built, message, seen })
  if (!(await recordCollection(deps.db, { ...intent, feeBps }, { legs, readHires }))) {
    throw new ApiError(
      'charges_changed',
      'A charge was voided or collected at the same time. Repeat the request.',
      {
        retryAfterSeconds: 2,
      },
    )
  }
  return { ...newlyBuilt('collect', intent), collection: { amount, fee, charges, accounts: legs.length } }
}

/**
 * Records a built collection and assigns its charges to it. One round trip.
 * @param of.looked the hires whose accounts were read for it
 * @returns whether it was recorded; false if a charge has changed since it was read
 */
export async function recordCollection(
  db: Db,
  intent: NewIntent & { feeBps: number },
  { legs, readHires }: { legs: CollectedLeg[]; readHires: string[] },
): Promise<boolean> {
  const charges = legs.flatMap((leg) => leg.charges)
  const { outcome } = await postgres.recordCollection.call(db, {
    ...intent,
    charges: charges.map(({ id }) => id),
    hires: legs.map(({ hireId }) => hireId),
    addresses: legs.map(({ address }) => address),
    amounts: legs.map(({ amount }) => amount),
    fees: legs.map(({ fee }) => fee),
    seenHires: readHires,
  })
  return outcome === 'recorded'
}
