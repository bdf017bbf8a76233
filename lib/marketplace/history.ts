import type { Db } from '../db/connect.ts'
import { DAY_MS } from '../time.ts'
import { insertStatsDay, type StatsDay, selectStatsDays } from './history-queries.ts'

/** Reads the recorded figures of the last days, including today, oldest first. */
export const statsHistory = ({ db, now }: { db: Db; now: Date }, days: number): Promise<StatsDay[]> =>
  selectStatsDays(db, firstDay(now, days))

/** Records the figures of the present day once; later runs on the same day don't change them. */
export const recordDay = (db: Db, now: Date): Promise<number> => insertStatsDay(db, dayOf(now), now)

/** Returns the day of a time, in UTC: `2026-11-22`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** Returns the first of `days` days, of which the last is the day of `now`. */
export const firstDay = (now: Date, days: number): string =>
  dayOf(new Date(now.getTime() - (days - 1) * DAY_MS))
