import type { Nudge } from '../../lib/events/outbox/nudge.ts'
import type { PaymentSettleDeps } from '../../lib/payments/chain-deps.ts'
import { sweepPayments } from '../../lib/payments/settlement/sweep.ts'

/** Settles what nobody has asked about, and has its events sent. */
export async function settlePayments(deps: PaymentSettleDeps & { nudge: Nudge }): Promise<object> {
  const { due, ...counts } = await sweepPayments(deps)
  deps.nudge(due)
  return counts
}
