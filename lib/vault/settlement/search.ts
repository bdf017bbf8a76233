import { base64 } from '@scure/base'
import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { decodeTransaction } from '../../solana/transaction.ts'
import { DAY_MS } from '../../time.ts'
import { exponentialBackoff } from '../../transactions/confirmation/check-schedule.ts'
import {
  MAX_CALLS_PER_SEARCH,
  type RpcBudget,
  type ScanResult,
  searchMessage,
} from '../../transactions/confirmation/message-search.ts'
import { hasHistorySince } from '../../transactions/confirmation/signature-outcome.ts'
import { type EscrowVault, validPosition, vaultState } from '../chain-state.ts'
import type { SettleDeps } from '../deps.ts'
import type { Intent } from '../queries.ts'
import { signedAt } from '../transactions/signing.ts'
import { vaultChecks } from './job-run-queries.ts'
import { wholeOf } from './settlement.ts'
import type { Outcome } from './settlement-queries.ts'

/** Checks whether a stack has ended and its vault exists, but its position is missing. */
export const isMissing = (outcome: Outcome): boolean =>
  (outcome.kind === 'expired' && outcome.isVaultOpen && outcome.intent.kind === 'stack') ||
  (outcome.kind === 'failed' && outcome.reason === 'position_foreign')

/** RPC calls that a search leaves for reading the accounts of the transaction that it found. */
const CALLS_OF_CHECK = 1

type Search = { keyed: EscrowVault; finalizedSlot: bigint; calls: RpcBudget }

/** A stack without proof fails after this time, and its yield counts as taken. */
const UNPROVEN_AFTER_MS = DAY_MS

/**
 * Returns the outcome of a stack whose position is missing, by a search for its message. Its owner may have
 * withdrawn it with the recovery key before anyone read it; then its yield is gone and counts as taken.
 * Without a proof the stack stays open and keeps its reservation. A search that was cut short continues with
 * the next read or job run. If the node can prove nothing, the next search comes after exponential backoff,
 * and after a day the stack fails.
 * @param outcome the stack's outcome if it has not landed
 * @returns undefined while nothing is proven
 */
export async function resolveMissing(
  deps: SettleDeps,
  outcome: Outcome,
  search: Search,
): Promise<Outcome | undefined> {
  const { db, now } = deps
  const { intent } = outcome
  const isTooSoon = intent.searchAfter !== null && now < intent.searchAfter
  if (isTooSoon || search.calls.left <= CALLS_OF_CHECK) return undefined
  try {
    const found = await searched(deps, intent, search)
    const resolution = 'landed' in found ? await resolveBy(deps, outcome, found.landed, search) : undefined
    if (resolution) return resolution
    const { inconclusive, isCutShort } = 'landed' in found ? UNDECIDED : found
    if (!isCutShort && now.getTime() - signedAt(intent).getTime() >= UNPROVEN_AFTER_MS) {
      logError({ unprovenStack: intent.id })
      return { kind: 'failed', intent, reason: 'unproven', keys: search.keyed.escrow.keys }
    }
    const at = isCutShort ? now : exponentialBackoff(signedAt(intent), now)
    await vaultChecks.recordSearch(db, { id: intent.id, searchedTo: inconclusive, at })
  } catch (error) {
    // A failed search must not prevent the settlement of other stacks.
    logError({ unprovenStack: intent.id, reason: reasonOf(error) })
  }
  return undefined
}

/** The message has landed, but the finalized state does not show it yet. */
const UNDECIDED = { inconclusive: null, isCutShort: false }

async function searched(
  { rpc, now }: SettleDeps,
  intent: Intent,
  { finalizedSlot, calls }: Search,
): Promise<ScanResult> {
  const { id, builtSlot, searchedTo, legs } = intent
  const message = signedMessage(intent)
  if (!message) throw new Error('a signed stack without its message')
  // The account is new with the stack, so the end of its list is proof, like a list that reaches back.
  const since = { signedAt: signedAt(intent), builtSlot, calls }
  const isNewAccount = await hasHistorySince(rpc, now, since)
  const addresses = legs.map(({ address }) => address)
  const maxCalls = Math.min(MAX_CALLS_PER_SEARCH, calls.left - CALLS_OF_CHECK)
  const target = { id, message, builtSlot, addresses, isNewAccount }
  return searchMessage(rpc, target, { finalizedSlot, searchedTo, calls, maxCalls })
}

/** @returns undefined while the final state contradicts the landed message */
async function resolveBy(
  { rpc }: SettleDeps,
  outcome: Outcome,
  hasLanded: boolean,
  { keyed: { escrow, vault }, finalizedSlot, calls }: Search,
): Promise<Outcome | undefined> {
  const { intent } = outcome
  const [leg] = intent.legs
  if (!hasLanded) return outcome
  if (!leg) return undefined
  calls.left -= CALLS_OF_CHECK
  const { slot, accounts } = await rpc.accounts([vault, leg.address], {
    minSlot: finalizedSlot,
    commitment: 'finalized',
  })
  if (vaultState(accounts[0], escrow).kind !== 'open') return undefined
  const position = validPosition(accounts[1], { escrow, vault })
  if (position && position.amount >= wholeOf(intent, leg)) {
    const balances = [{ address: leg.address, balance: position.amount }]
    return { kind: 'landed', intent, balances, slot }
  }
  const { owner, keyVersion } = intent
  logError({ earlyPayout: leg.address, owner, generation: keyVersion })
  return { kind: 'failed', intent, reason: 'left_before_seen', keys: escrow.keys }
}

/** Returns the message that the authority signed. */
const signedMessage = ({ cosignedMessage, transaction }: Intent): Uint8Array | undefined =>
  cosignedMessage === null ? decodeTransaction(transaction)?.message : base64.decode(cosignedMessage)
