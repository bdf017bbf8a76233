import type { Db } from '../db/connect.ts'
import { insertStatsDay, type StatsDay, selectStatsDays } from './history-queries.ts'
import { dayOf, firstDay } from './rules.ts'

/** Reads the figures of the last days, today's too, as far as they are recorded; oldest first. */
export const statsHistory = ({ db, now }: { db: Db; now: Date }, days: number): Promise<StatsDay[]> =>
  selectStatsDays(db, firstDay(now, days))

/** Records the figures of the present day, once: later runs of the same day leave them as they are. */
export const recordDay = (db: Db, now: Date): Promise<number> => insertStatsDay(db, dayOf(now), now)
