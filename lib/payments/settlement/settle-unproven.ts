import { ApiError } from '../../api-error.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { searchMessage } from '../../transactions/confirmation/message-search.ts'
import { outcomeBySignature } from '../../transactions/confirmation/signature-outcome.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import { findIntent, type Intent } from '../transactions/intent-queries.ts'
import { type Outcome, recordOutcomes } from './outcome-batches.ts'
import { isAwaitingSignature, isCosigned } from './outcomes.ts'
import { scanTargetOf } from './scan-target.ts'

/**
 * Settles a collection or purchase whose outcome the service's own searches could not prove, for an operator.
 * Uses a node with a longer history, without a limit of calls.
 * @param options.assumeExpired records the collection as expired even if this node can't prove it: its
 *   charges are due again, and are paid twice if it has landed after all
 * @returns the recorded outcome; undefined when nothing is proven, or the network may still run it
 * @throws ApiError transaction_not_found, dependency_unavailable
 */
export async function settleUnproven(
  deps: PaymentSettleDeps,
  id: string,
  { assumeExpired }: { assumeExpired: boolean },
): Promise<Outcome['kind'] | undefined> {
  const { db, rpc, now } = deps
  const intent = await findIntent(db, id)
  if (!intent || !isCosigned(intent) || intent.status !== 'open' || isAwaitingSignature(intent))
    throw new ApiError('transaction_not_found', 'No open signed collection has this id.')
  const [{ slot, statuses }, finalized] = await Promise.all([
    rpc.statuses([intent.networkSignature ?? '']),
    rpc.finalizedBlock(),
  ])
  const seen = outcomeBySignature(intent, { status: statuses[0], slot, finalized })
  const kind =
    seen === 'not_found'
      ? await searched({ rpc, now }, intent, { finalizedSlot: finalized.slot, assumeExpired })
      : seen
  if (kind) await recordOutcomes(deps, [{ intent, kind }])
  return kind
}

async function searched(
  { rpc, now }: { rpc: Rpc; now: Date },
  intent: Intent,
  { finalizedSlot, assumeExpired }: { finalizedSlot: bigint; assumeExpired: boolean },
): Promise<'landed' | 'expired' | undefined> {
  const calls = { left: Number.POSITIVE_INFINITY }
  const target = await scanTargetOf({ rpc, now, calls }, intent)
  const search = { finalizedSlot, searchedTo: null, calls, maxCalls: Number.POSITIVE_INFINITY }
  const found = await searchMessage(rpc, target, search)
  if ('landed' in found) return found.landed ? 'landed' : 'expired'
  return assumeExpired ? 'expired' : undefined
}
