import { type Column, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { name } from '../db/columns.ts'

/** The day that a time lies in, in UTC. */
export const utcDay = (now: SQLWrapper): SQL => sql`(${now} at time zone 'UTC')::date`

/** What an update sets to count one more on the day of `now`; a counter of a day before begins anew. */
export const oneMore = ({ day, count, now }: { day: Column; count: Column; now: SQLWrapper }): SQL =>
  sql`${name(count)} = 1 + case when ${day} >= ${utcDay(now)} then ${count} else 0 end,
    ${name(day)} = greatest(${day}, ${utcDay(now)})`
