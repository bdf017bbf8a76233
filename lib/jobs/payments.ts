import type { DeliverDeps } from '../events/deps.ts'
import type { PaymentSettleDeps } from '../payments/chain-deps.ts'
import { sweepPayments } from '../payments/sweep.ts'

/** Settles what nobody has asked about, and has its events sent. */
export async function settlePayments(
  deps: PaymentSettleDeps & Pick<DeliverDeps, 'nudgeLater'>,
): Promise<object> {
  const { due, ...counts } = await sweepPayments(deps)
  if (due.length > 0) await deps.nudgeLater(due.map((endpointId) => ({ endpointId, delayMs: 0 })))
  return counts
}
