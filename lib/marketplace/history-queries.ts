import { asc, gte } from 'drizzle-orm'
import { statsDays, totals } from '../../schema/tables/totals.ts'
import { rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import { figures } from './queries.ts'

/** The figures of a day, and the time of their reading. */
export type StatsDay = typeof statsDays.$inferSelect

const dayInsert = statement({ day: statsDays.day, takenAt: statsDays.takenAt }, (db, $) =>
  db
    .insert(statsDays)
    .select(db.select(rowFields(statsDays, { ...$, ...figures() })).from(totals))
    .onConflictDoNothing(),
)

/**
 * Records the present figures for a day that has none yet. The primary key decides between two runs.
 * @returns the number of recorded days, 0 or 1
 */
export async function insertStatsDay(db: Db, day: string, takenAt: Date): Promise<number> {
  const { rowCount } = await dayInsert.run(db, { day, takenAt })
  return rowCount
}

const daysSince = read({ first: statsDays.day }, (db, $) =>
  db.select().from(statsDays).where(gte(statsDays.day, $.first)).orderBy(asc(statsDays.day)),
)

/** Reads the recorded days from `first` on, oldest first. */
export const selectStatsDays = (db: Db, first: string): Promise<StatsDay[]> => daysSince.run(db, { first })
