import type { Totals } from './queries.ts'

/** ProtocolStats of the contract. */
export const statsView = (stats: Totals & { spotsRemaining: number }) => ({
  totalPioneers: stats.pioneers,
  totalAgents: stats.agents,
  totalAttestations: stats.attestations,
  totalValueLocked: stats.valueLocked,
  spotsRemaining: stats.spotsRemaining,
})
