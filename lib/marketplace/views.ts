import type { Wire } from '../../schema/wire/common.ts'
import type { ProtocolStats } from '../../schema/wire/marketplace.ts'
import type { Totals } from './queries.ts'

/** ProtocolStats of the contract. */
export const statsView = (stats: Totals & { spotsRemaining: number }): Wire<typeof ProtocolStats> => ({
  totalPioneers: stats.pioneers,
  totalAgents: stats.agents,
  totalAttestations: stats.attestations,
  totalValueLocked: stats.valueLocked,
  spotsRemaining: stats.spotsRemaining,
})
