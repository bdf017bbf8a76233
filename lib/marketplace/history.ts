import type { Db } from '../db/connect.ts'
import { DAY_MS } from '../time.ts'
import { insertStatsDay, type StatsDay, selectStatsDays } from './history-queries.ts'

/** Reads the figures of the last days, today's too, as far as they are recorded; oldest first. */
export const statsHistory = ({ db, now }: { db: Db; now: Date }, days: number): Promise<StatsDay[]> =>
  selectStatsDays(db, firstDay(now, days))

/** Records the figures of the present day, once: later runs of the same day leave them as they are. */
export const recordDay = (db: Db, now: Date): Promise<number> => insertStatsDay(db, dayOf(now), now)

/** The day of a time in UTC: `2026-11-22`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The first of as many days as end with the day of `now`. */
export const firstDay = (now: Date, days: number): string =>
  dayOf(new Date(now.getTime() - (days - 1) * DAY_MS))
