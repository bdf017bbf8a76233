import { DAY_MS } from '../time.ts'

/** The day of a time in UTC: `2026-11-22`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The first of as many days as end with that of `now`. */
export const firstDay = (now: Date, days: number): string =>
  dayOf(new Date(now.getTime() - (days - 1) * DAY_MS))
