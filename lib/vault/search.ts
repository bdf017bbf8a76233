import { base64 } from '@scure/base'
import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
import {
  type Calls,
  type Found,
  MAX_CALLS_OF_SEARCH,
  nextSearch,
  searchMessage,
} from '../relay/landing-search.ts'
import { decodeTransaction } from '../solana/transaction.ts'
import { soundPosition, vaultState } from './chain-state.ts'
import type { SettleDeps } from './deps.ts'
import type { Intent } from './queries.ts'
import { type Holder, wholeOf } from './settlement.ts'
import { type Outcome, recordSearch } from './settlement-queries.ts'
import { signedAt } from './signing.ts'

/** Whether a stack has ended under a vault that stands, but its position is not to be seen. */
export const isUnseen = (outcome: Outcome): boolean =>
  (outcome.kind === 'expired' && outcome.isVaultOpen && outcome.intent.kind === 'stack') ||
  (outcome.kind === 'failed' && outcome.reason === 'position_foreign')

/** So many calls a search leaves for a look at what it has found. */
const CALLS_OF_LOOK = 1

type Search = { holder: Holder; finalizedSlot: bigint; calls: Calls }

/**
 * Tells what became of a stack whose position is not to be seen: with the recovery key its owner can have
 * withdrawn it before anyone looked, and then its yield is gone and has to count. It is searched for by its
 * message. What no search has proven yet stays open and keeps its reservation, and is searched for again,
 * later each time.
 * @param outcome what it is if it has not landed
 * @returns undefined while nothing is proven
 */
export async function fateOfUnseen(
  deps: SettleDeps,
  outcome: Outcome,
  search: Search,
): Promise<Outcome | undefined> {
  const { intent } = outcome
  const isTooSoon = intent.searchAfter !== null && deps.now < intent.searchAfter
  if (isTooSoon || search.calls.left <= CALLS_OF_LOOK) return undefined
  const found = await searched(deps, intent, search)
  const fate = 'landed' in found ? await fateBy(deps, outcome, found.landed, search) : undefined
  if (fate) return fate
  const searchedTo = 'unproven' in found ? found.unproven : intent.searchedTo
  await recordSearch(deps.db, {
    id: intent.id,
    searchedTo,
    searchAfter: nextSearch(signedAt(intent), deps.now),
  })
  return undefined
}

async function searched(
  { rpc }: SettleDeps,
  intent: Intent,
  { finalizedSlot, calls }: Search,
): Promise<Found> {
  const { id, builtSlot, searchedTo, legs } = intent
  const message = signedMessage(intent)
  if (!message) throw new Error('a signed stack without its message')
  const addresses = legs.map(({ address }) => address)
  const sought = { id, message, builtSlot, addresses, isNewAccount: true }
  try {
    const maxCalls = Math.min(MAX_CALLS_OF_SEARCH, calls.left - CALLS_OF_LOOK)
    return await searchMessage(rpc, sought, { finalizedSlot, searchedTo, calls, maxCalls })
  } catch (error) {
    // One that can't be searched for keeps no other from being settled.
    logError({ unprovenStack: id, reason: reasonOf(error) })
    return { unproven: searchedTo }
  }
}

/** @returns undefined while the chain contradicts itself */
async function fateBy(
  { rpc }: SettleDeps,
  outcome: Outcome,
  hasLanded: boolean,
  { holder: { escrow, vault }, finalizedSlot, calls }: Search,
): Promise<Outcome | undefined> {
  const { intent } = outcome
  const [leg] = intent.legs
  if (!hasLanded) return outcome
  if (!leg) return undefined
  calls.left -= CALLS_OF_LOOK
  const { slot, accounts } = await rpc.accounts([vault, leg.address], {
    minSlot: finalizedSlot,
    commitment: 'finalized',
  })
  if (vaultState(accounts[0], escrow).kind !== 'open') return undefined
  const position = soundPosition(accounts[1], { vault, mint: escrow.mint })
  if (position && position.amount >= wholeOf(intent, leg)) {
    const balances = [{ address: leg.address, balance: position.amount }]
    return { kind: 'landed', intent, balances, slot }
  }
  const { owner, generation } = intent
  logError({ earlyPayout: leg.address, owner, generation })
  return { kind: 'failed', intent, reason: 'left_before_seen', keys: escrow.keys }
}

/** The message that the authority signed. */
const signedMessage = ({ cosignedMessage, transaction }: Intent): Uint8Array | undefined =>
  cosignedMessage === null ? decodeTransaction(transaction)?.message : base64.decode(cosignedMessage)
