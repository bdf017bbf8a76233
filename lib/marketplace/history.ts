import type { Db } from '../db/connect.ts'
import { type StatsDay, selectStatsDays } from './history-queries.ts'
import { firstDay } from './rules.ts'

/** Reads the figures of the last days, today's too, as far as they are recorded; oldest first. */
export const statsHistory = ({ db, now }: { db: Db; now: Date }, days: number): Promise<StatsDay[]> =>
  selectStatsDays(db, firstDay(now, days))
