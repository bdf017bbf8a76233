import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { exponentialBackoff } from '../../transactions/confirmation/check-schedule.ts'
import { type RpcBudget, searchMessage } from '../../transactions/confirmation/landing-search.ts'
import { outcomeBySignature } from '../../transactions/confirmation/signature-outcome.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { Intent } from '../transactions/intent-queries.ts'
import { type Outcome, recordIndividually, type Settled } from './outcome-batches.ts'
import { isAwaitingSignature, isCosigned, mayHaveExpired } from './outcomes.ts'
import { scanTargetOf } from './scan-target.ts'
import { takeSearch } from './search-queries.ts'
import { paymentChecks } from './sweep-queries.ts'

/** How many signatures one call looks for. */
export const MAX_INTENTS_PER_CALL = 256

/** How many calls all searches of one call of `settle` make together; the others wait for the next. */
const MAX_SEARCH_CALLS = 300

const NOTHING: Settled = { settled: 0, due: [] }

/**
 * Asks the chain what became of signed intents, at most MAX_INTENTS_PER_CALL, and records the certain
 * outcomes: one wave of calls (and for each collection that seems to have expired, a search), then a round
 * trip to the database for every few outcomes.
 * @returns how many outcomes it recorded, and which endpoints have something due by them
 * @throws ApiError dependency_unavailable
 */
export async function settle(deps: PaymentSettleDeps, intents: Intent[]): Promise<Settled> {
  const signed = intents.filter((intent) => !isAwaitingSignature(intent))
  if (signed.length === 0) return NOTHING
  const isOld = signed.some((intent) => mayHaveExpired(intent, deps.now))
  const [{ slot, statuses }, finalized] = await Promise.all([
    deps.rpc.statuses(signed.map(({ networkSignature }) => networkSignature ?? '')),
    isOld ? deps.rpc.finalizedBlock() : undefined,
  ])
  const outcomes: Outcome[] = []
  const calls: RpcBudget = { left: MAX_SEARCH_CALLS }
  for (const [index, intent] of signed.entries()) {
    const seen = outcomeBySignature(intent, { status: statuses[index], slot, finalized })
    const kind = seen === 'not_found' ? await searched(deps, intent, finalized?.slot ?? slot, calls) : seen
    if (kind) outcomes.push({ intent, kind })
  }
  if (outcomes.length === 0) return NOTHING
  return recordIndividually(deps, outcomes)
}

/**
 * What became of a signed intent that no block has under the recorded signature. Of one that the wallet signs
 * alone nothing depends on more than that; of a collection, whether its charges are due again; of a purchase,
 * whether it has bought credit. One that can't
 * be searched stays open, and keeps no other from being settled.
 */
async function searched(
  { db, rpc, now, alert }: PaymentSettleDeps,
  intent: Intent,
  finalizedSlot: bigint,
  calls: RpcBudget,
): Promise<Outcome['kind'] | undefined> {
  if (!isCosigned(intent)) return 'expired'
  if (calls.left <= 0) return undefined
  const { id, cosignedAt } = intent
  const nextSearch = exponentialBackoff(cosignedAt ?? now, now)
  const searchedTo = await takeSearch(db, { id, nextSearch, now })
  if (searchedTo === undefined) return undefined
  try {
    const target = await scanTargetOf({ rpc, now, calls }, intent)
    const found = await searchMessage(rpc, target, { finalizedSlot, searchedTo, calls })
    if ('landed' in found) return found.landed ? 'landed' : 'expired'
    // One that was cut short goes on as soon as anybody asks again.
    const at = found.isCutShort ? now : nextSearch
    await paymentChecks.recordSearch(db, { id, searchedTo: found.inconclusive, at })
    logError({ unprovenCollection: id })
    if (!found.isCutShort) alert?.('AgentCred: a collection is unproven: npm run payments -- unproven', now)
  } catch (error) {
    logError({ unprovenCollection: id, reason: reasonOf(error) })
  }
  return undefined
}
