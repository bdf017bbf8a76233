import type { Wire } from '../../schema/wire/common.ts'
import type { ProtocolStats, StatsHistory } from '../../schema/wire/marketplace.ts'
import type { StatsDay } from './history-queries.ts'
import type { Totals } from './queries.ts'

/** ProtocolStats of the contract. */
export const statsView = (stats: Totals & { spotsRemaining: number }): Wire<typeof ProtocolStats> => ({
  totalPioneers: stats.pioneers,
  totalAgents: stats.agents,
  totalAttestations: stats.attestations,
  totalValueLocked: stats.valueLocked,
  spotsRemaining: stats.spotsRemaining,
})

/** The recorded days. */
export const historyView = (days: readonly StatsDay[]): Wire<typeof StatsHistory> => ({
  days: days.map((day) => ({
    day: day.day,
    takenAt: day.takenAt.toISOString(),
    totalPioneers: day.pioneers,
    totalAgents: day.agents,
    totalAttestations: day.attestations,
    totalValueLocked: day.valueLocked,
  })),
})
