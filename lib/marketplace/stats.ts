import type { Db } from '../db/connect.ts'
import { spotsLeft } from '../pioneer/rules.ts'
import { selectTotals, type Totals } from './queries.ts'

/** Reads the protocol's figures at this moment. */
export async function protocolStats(deps: {
  db: Db
  spots: number
}): Promise<Totals & { spotsRemaining: number }> {
  const totals = await selectTotals(deps.db)
  return { ...totals, spotsRemaining: spotsLeft(deps.spots, totals.pioneers) }
}
