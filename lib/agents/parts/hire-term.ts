import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { API_SCHEMA } from '../../../schema/release.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { hirePeriods, hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'

/**
 * Computes the state of a hire at `now`, as SQL over a `hires` row. The row records only the last written
 * state, and time goes on without writes: once the recorded term has ended, `hire_now` of schema/functions
 * computes the state.
 * @param now a timestamptz
 */
export function hireTerm(now: SQLWrapper) {
  const isDue = sql`(${hires.status} = 'active' and ${hires.expiresAt} <= ${now})`
  const present = (column: PgColumn) => sql`(
    select ${sql.identifier(column.name)} from ${sql.identifier(API_SCHEMA)}.hire_now(${hires.id}, ${now}))`
  const read = (column: PgColumn) => sql`case when ${isDue} then ${present(column)} else ${column} end`
  return {
    /** A row that has in truth expired. */
    isLapsed: sql`(${isDue} and ${present(hires.status)} = 'expired')`,
    status: read(hires.status) as SQL<HireStatus>,
    expiresAt: read(hires.expiresAt).mapWith(hires.expiresAt) as SQL<Date>,
    endedAt: read(hires.endedAt).mapWith(hires.endedAt) as SQL<Date | null>,
  }
}

/*
 * Periods of hires and the spent part of their budgets, as parts of other statements. A period is a term: it
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

/* Hires as those who pay and are paid need them, as parts of other statements. */

/**
 * Makes a subquery of hires: both sides, whether the agent is suspended, and when the hire ended.
 * @param of the id of one hire: to be joined laterally, so that each is looked up, however many there may be
 */
export const hireParties = (db: Builder, now: SQLWrapper, of?: SQLWrapper) =>
  db
    .select({
      id: hires.id,
      hirer: sql<string>`${hires.wallet}`.as('hired_by'),
      owner: sql<string>`${agents.pubkey}`.as('hired_from'),
      agentId: hires.agentId,
      budgetNumber: hires.budgetNumber,
      isSuspended: sql<boolean>`(${agents.status} = 'suspended')`.as('is_suspended'),
      endedAt: hireTerm(now).endedAt.as('hired_until'),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    // "offset 0": the planner may not make one join of it, which reads all agents.
    .where(of && sql`${hires.id} = ${of} offset 0`)
    .as('hired')
