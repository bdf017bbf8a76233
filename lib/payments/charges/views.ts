import type { Charge as ChargeAnswer, ChargeList } from '../../../schema/wire/charges.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { Charge } from './charge-queries.ts'

/** Makes the answer for one charge, the same for both sides. */
export const chargeView = (charge: Charge): Wire<typeof ChargeAnswer> => ({
  id: charge.id,
  hireId: charge.hireId,
  agentId: charge.agentId,
  owner: charge.owner,
  hirer: charge.hirer,
  reference: charge.reference,
  amount: charge.amount,
  units: charge.units ?? undefined,
  capturedValue: charge.capturedValue ?? undefined,
  share: charge.share ?? undefined,
  layer: charge.layer ?? undefined,
  description: charge.description ?? undefined,
  periodStart: charge.periodStart.toISOString(),
  status: charge.state,
  createdAt: charge.createdAt.toISOString(),
  voidedAt: charge.voidedAt?.toISOString(),
  collectedAt: charge.collectedAt?.toISOString(),
  fee: charge.fee ?? undefined,
})

/** Makes the answer for one page of charges, with the next page's cursor. */
export const chargeListView = (page: {
  charges: Charge[]
  nextCursor?: string
}): Wire<typeof ChargeList> => ({
  charges: page.charges.map(chargeView),
  count: page.charges.length,
  nextCursor: page.nextCursor,
})
