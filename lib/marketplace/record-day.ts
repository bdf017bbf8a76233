import type { Db } from '../db/connect.ts'
import { insertStatsDay } from './history-queries.ts'
import { dayOf } from './rules.ts'

/** Records the figures of the present day, once: later runs of the same day leave them as they are. */
export const recordDay = (db: Db, now: Date): Promise<number> => insertStatsDay(db, dayOf(now), now)
