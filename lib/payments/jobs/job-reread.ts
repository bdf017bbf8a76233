import { searchMessage } from '../../transactions/confirmation/message-search.ts'
import { outcomeBySignature } from '../../transactions/confirmation/signature-outcome.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import { type Outcome, recordOutcomes } from '../settlement/outcome-batches.ts'
import { scanTargetOf } from '../settlement/scan-target.ts'
import type { Intent } from '../transactions/intent-queries.ts'
import { selectOverIntents } from './job-queries.ts'

/** The transactions of a job that are read again, and the calls of the node for that. */
const MAX_READ = 16
const MAX_CALLS = 40

/**
 * Looks again for transactions of a job that were taken for expired: an operator may have assumed it, or the
 * node was wrong. Records those that have landed.
 * @returns whether there is one
 * @throws ApiError dependency_unavailable
 */
export async function reread(
  deps: PaymentSettleDeps & { notify: (due: string[]) => void },
  jobId: string,
): Promise<boolean> {
  const { db, rpc } = deps
  const intents = await selectOverIntents(db, jobId, MAX_READ)
  if (intents.length === 0) return false
  const [{ slot, statuses }, finalized] = await Promise.all([
    rpc.statuses(intents.map(({ networkSignature }) => networkSignature ?? '')),
    rpc.finalizedBlock(),
  ])
  const calls = { left: MAX_CALLS }
  const outcomes: Outcome[] = []
  for (const [index, intent] of intents.entries()) {
    const seen = outcomeBySignature(intent, { status: statuses[index], slot, finalized })
    const hasLanded =
      seen === 'not_found' ? await isInBlock(deps, intent, finalized.slot, calls) : seen === 'landed'
    if (hasLanded) outcomes.push({ intent, kind: 'landed' })
  }
  if (outcomes.length === 0) return false
  deps.notify(await recordOutcomes(deps, outcomes))
  return true
}

async function isInBlock(
  { rpc, now }: PaymentSettleDeps,
  intent: Intent,
  finalizedSlot: bigint,
  calls: { left: number },
): Promise<boolean> {
  const target = await scanTargetOf({ rpc, now, calls }, intent)
  const found = await searchMessage(rpc, target, { finalizedSlot, searchedTo: null, calls })
  return 'landed' in found && found.landed
}
