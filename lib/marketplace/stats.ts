import type { Wire } from '../../schema/wire/common.ts'
import type { ProtocolStats, StatsHistory } from '../../schema/wire/marketplace.ts'
import type { Db } from '../db/connect.ts'
import { spotsLeft } from '../pioneer/rules.ts'
import type { StatsDay } from './history-queries.ts'
import { selectTotals, type Totals } from './queries.ts'

/** Reads the protocol's present figures. */
export async function protocolStats(deps: {
  db: Db
  spots: number
}): Promise<Totals & { spotsRemaining: number }> {
  const totals = await selectTotals(deps.db)
  return { ...totals, spotsRemaining: spotsLeft(deps.spots, totals.pioneers) }
}

/** Returns the figures as GET /marketplace/stats answers them. */
export const statsView = (stats: Totals & { spotsRemaining: number }): Wire<typeof ProtocolStats> => ({
  totalPioneers: stats.pioneers,
  totalAgents: stats.agents,
  totalAttestations: stats.attestations,
  totalValueLocked: stats.valueLocked,
  spotsRemaining: stats.spotsRemaining,
})

/** Returns the recorded days for the wire. */
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
