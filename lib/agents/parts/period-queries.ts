import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { hirePeriods } from '../../../schema/tables/hire-periods.ts'

/*
 * Periods of hires and what is spent of their budgets, as parts of other statements. A period is a term: it
 * has no row before its first charge, and is computed from the hire.
 */

/** The beginning of the period that ends with a hire's term of whole 24-hour days. */
const periodStart = (hire: { expiresAt: SQLWrapper; termDays: SQLWrapper }): SQL =>
  sql`(${hire.expiresAt} - make_interval(secs => (${hire.termDays} * 86400)::double precision))`

/**
 * The lamports that were spent in a hire's period, as a column of a select.
 * @param hire as it is now: see hireTerm
 */
export const spentOf = (hire: { id: SQLWrapper; expiresAt: SQLWrapper; termDays: SQLWrapper }): SQL<bigint> =>
  sql`coalesce((
    select ${hirePeriods.spent} from ${hirePeriods}
    where ${hirePeriods.hireId} = ${hire.id} and ${hirePeriods.startsAt} = ${periodStart(hire)}), 0)`.mapWith(
    hirePeriods.spent,
  ) as SQL<bigint>
