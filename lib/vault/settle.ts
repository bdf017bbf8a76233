import type { Wallet } from '../../schema/wallet.ts'
import { logError } from '../log.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../relay/limits.ts'
import { heldByVault, vaultState } from './chain-state.ts'
import type { SettleDeps } from './deps.ts'
import { hasLeft } from './landing-search.ts'
import type { RecordedVault } from './queries.ts'
import { type Holders, holdersOf, isWatched, mayHaveExpired, outcomesOf } from './settlement.ts'
import { type Outcome, recordOutcomes } from './settlement-queries.ts'
import { hasLapsed } from './signing.ts'

/**
 * Asks the chain what became of an owner's open intents and records it: one call for all of them, with the
 * owner's vaults (a second beside it once one is old enough to have expired, and one for each stack that then
 * has), then one round trip to the database if anything was found. What was not signed by its deadline ends
 * without asking the chain.
 * @returns the vault as it is recorded afterwards
 * @throws Refusal dependency_unavailable
 */
export async function settle(
  deps: SettleDeps,
  owner: Wallet,
  recorded: RecordedVault,
): Promise<RecordedVault> {
  const { openIntents } = recorded
  const lapsed = openIntents
    .filter((intent) => hasLapsed(intent, deps.now))
    .map((intent): Outcome => ({ kind: 'expired', intent, isVaultOpen: false, isSpoilt: false }))
  const shown = openIntents.some(isWatched) ? await outcomesShown(deps, owner, recorded) : []
  const ids = new Set(shown.map(({ intent }) => intent.id))
  const [first, ...rest] = [...shown, ...lapsed.filter(({ intent }) => !ids.has(intent.id))]
  if (!first) return recorded
  const outcome = await recordOutcomes(deps.db, owner, [first, ...rest], deps.now)
  deps.nudge(outcome.due)
  return outcome.recorded
}

/** What the chain shows of open intents. */
async function outcomesShown(
  deps: SettleDeps,
  owner: Wallet,
  { openIntents, positions }: RecordedVault,
): Promise<Outcome[]> {
  const holders = await holdersOf(owner, deps.escrow)
  const vaults = [...holders.values()].map(({ vault }) => vault)
  const legs = openIntents.filter(isWatched).flatMap((intent) => intent.legs.map(({ address }) => address))
  const addresses = [...new Set([...vaults, ...legs])].slice(0, MAX_ACCOUNTS_PER_CALL)
  const isOld = openIntents.some((intent) => mayHaveExpired(intent, deps.now))
  const [{ slot, accounts }, finalized] = await Promise.all([
    deps.rpc.accounts(addresses),
    isOld ? deps.rpc.finalizedBlock() : undefined,
  ])
  const seen = openIntents.filter(
    (intent) => !isWatched(intent) || intent.legs.every(({ address }) => addresses.includes(address)),
  )
  const sighting = {
    slot,
    accounts: new Map(addresses.map((address, i) => [address, accounts[i]])),
    finalized,
  }
  const outcomes = outcomesOf(seen, positions, sighting, holders)
  const settled = outcomes.map((outcome) =>
    finalized && isOutOfSight(outcome) ? leftOr(deps, outcome, holders, finalized.slot) : outcome,
  )
  return (await Promise.all(settled)).filter((outcome) => outcome !== undefined)
}

/** Whether a stack has ended under a vault that stands, but its position is not to be seen. */
const isOutOfSight = (outcome: Outcome): boolean =>
  (outcome.kind === 'expired' && outcome.isVaultOpen && outcome.intent.kind === 'stack') ||
  (outcome.kind === 'failed' && outcome.reason === 'position_foreign')

/**
 * What became of a stack whose position is not to be seen: it may have landed, and its owner have withdrawn
 * it before anyone looked. Then its yield is gone and has to count.
 * @returns undefined while the chain contradicts itself: the stack stays open
 */
async function leftOr(
  { rpc }: SettleDeps,
  outcome: Outcome,
  holders: Holders,
  finalizedSlot: bigint,
): Promise<Outcome | undefined> {
  const { intent } = outcome
  const [holder, leg] = [holders.get(intent.generation), intent.legs[0]]
  if (!holder || !leg || !(await hasLeft(rpc, intent, finalizedSlot))) return outcome
  const { accounts } = await rpc.accounts([holder.vault, leg.address], {
    minSlot: finalizedSlot,
    commitment: 'finalized',
  })
  const stands = heldByVault(accounts[1], holder.vault)
  if (vaultState(accounts[0], holder.escrow).kind !== 'open') return undefined
  if (stands && stands.amount >= leg.amount) return undefined
  const { owner, generation } = intent
  logError({ earlyPayout: leg.address, owner, generation })
  return { kind: 'failed', intent, reason: 'left_before_seen', keys: holder.escrow.keys }
}
