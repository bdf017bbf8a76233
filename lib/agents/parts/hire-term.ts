import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hirePeriods, hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'
import { lastLoginOf } from '../../auth/session/login-queries.ts'
import type { Builder } from '../../db/builder.ts'
import { LATE_LOGIN_MS, MOST_UNUSED_RENEWALS } from './rules.ts'

/**
 * Computes the state of a hire at `now`, as SQL over a `hires` row and the row of its agent. The row records
 * only the last written state; time goes on without writes, so reads go through these expressions, and writes
 * through `hire_at` of schema/functions:
 *
 * - a hire without autoRenew is expired from its expiresAt on;
 * - one with autoRenew is renewed by whole terms of 24-hour days, so often without use (a collected charge, a
 *   login of its hirer), and expired from the end of the last such term on;
 * - a term that ended while its agent was not active was the last one.
 * @param now a timestamptz
 */
export function hireTerm(now: SQLWrapper) {
  const isDue = sql`(${hires.status} = 'active' and ${hires.expiresAt} <= ${now})`
  const termSeconds = sql`(${hires.termDays} * 86400)`
  const after = (terms: SQLWrapper) =>
    sql`(${hires.expiresAt} + make_interval(secs => (${terms} * ${termSeconds})::double precision))`
  /** How many whole terms a moment is past the recorded end. */
  const termsUntil = (moment: SQLWrapper) =>
    sql`floor(extract(epoch from ${moment} - ${hires.expiresAt}) / ${termSeconds})`
  const late = sql`(${hires.expiresAt} + make_interval(secs => ${number(LATE_LOGIN_MS / 1000)}))`
  const login = lastLoginOf(hires.wallet, sql`greatest(${after(hires.unusedRenewals)}, ${late})`)
  // The first end of a term at which it may renew no more, or its agent is paused: the renewal after a use is
  // as good as a new hire.
  const lastEnd = sql`(
    select term_end from (select greatest(${hires.paidAt}, ${login}) as used_at) as use,
      lateral (select case when not ${hires.autoRenew} then 0
        when used_at >= ${after(sql`-1`)} then ${termsUntil(sql`used_at`)} + ${number(2 + MOST_UNUSED_RENEWALS)}
        else ${hires.unusedRenewals} end::integer) as may (renew),
      lateral generate_series(0, renew) as count, lateral (select ${after(sql`count`)}) as term (term_end)
    where count = renew or ${agents.pauses} @> term_end order by count limit 1)`
  const isLapsed = sql`(${isDue} and ${lastEnd} <= ${now})`
  return {
    /** A row that has in truth expired. */
    isLapsed,
    status: sql<HireStatus>`case when ${isLapsed} then 'expired' else ${hires.status} end`,
    expiresAt: sql`case when ${isDue} then least(${lastEnd}, ${after(sql`(${termsUntil(now)} + 1)`)})
      else ${hires.expiresAt} end`.mapWith(hires.expiresAt) as SQL<Date>,
    endedAt: sql`case when ${isLapsed} then ${lastEnd} else ${hires.endedAt} end`.mapWith(
      hires.endedAt,
    ) as SQL<Date | null>,
  }
}

const number = (value: number): SQL => sql.raw(String(value))

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
