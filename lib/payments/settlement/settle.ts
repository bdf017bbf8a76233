import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { exponentialBackoff } from '../../transactions/confirmation/check-schedule.ts'
import { type RpcBudget, searchMessage } from '../../transactions/confirmation/message-search.ts'
import { outcomeBySignature } from '../../transactions/confirmation/signature-outcome.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { Intent } from '../transactions/intent-queries.ts'
import { paymentChecks } from './job-run-queries.ts'
import { type Outcome, recordAll, type Settled } from './outcome-batches.ts'
import { isAwaitingSignature, isCosigned, mayHaveExpired } from './outcomes.ts'
import { scanTargetOf } from './scan-target.ts'
import { takeSearch } from './search-queries.ts'

/** Signatures that one call looks up. */
export const MAX_INTENTS_PER_CALL = 256

/** RPC calls of all searches in one call of `settle`. Further searches wait for the next one. */
const MAX_SEARCH_CALLS = 300

const NOTHING: Settled = { settled: 0, due: [] }

/**
 * Reads the outcomes of at most MAX_INTENTS_PER_CALL signed intents from the chain and records the certain
 * ones. Makes one wave of RPC calls, a search for each cosigned intent that seems to have expired, and one
 * database call for several outcomes.
 * @returns the number of recorded outcomes, and the webhook endpoints with deliveries due by them
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
  return recordAll(deps, outcomes)
}

/**
 * Returns the outcome of a signed intent whose recorded signature is in no block. An intent that the wallet
 * signs alone has expired. A cosigned one needs a search: it decides whether charges or parts of jobs are
 * due again, credit was bought, or a job is funded. An intent that can't be searched stays open and does not
 * delay the others.
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
    // A search that was cut short continues with the next caller.
    const at = found.isCutShort ? now : nextSearch
    await paymentChecks.recordSearch(db, { id, searchedTo: found.inconclusive, at })
    logError({ unprovenCollection: id })
    if (!found.isCutShort)
      alert?.(
        'AgentCred: the chain does not show whether a collection landed. Run: npm run payments -- unproven',
        now,
      )
  } catch (error) {
    logError({ unprovenCollection: id, reason: reasonOf(error) })
  }
  return undefined
}
