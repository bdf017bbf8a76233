import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hirePeriods, hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'

/**
 * Computes the state of a hire at `now`, as SQL over a `hires` row and the status of its agent: from the
 * `agents` row, or `agentStatus` where a statement has the agent from somewhere else. The row records only
 * the last written state; time goes on without writes, so reads and writes both go through these expressions:
 *
 * - a hire without autoRenew is expired from its expiresAt on;
 * - a hire with autoRenew whose agent is active has been renewed, by as many whole terms as have passed;
 * - a hire with autoRenew whose agent is not active ended at its expiresAt. (What was due before the agent
 *   left was recorded when it left: see updateAgent.)
 * @param now a timestamptz
 */
export function hireTerm(now: SQLWrapper, agentStatus: SQLWrapper = agents.status) {
  const isDue = sql`(${hires.status} = 'active' and ${hires.expiresAt} <= ${now})`
  const isRenewed = sql`(${isDue} and ${hires.autoRenew} and ${agentStatus} = 'active')`
  const isLapsed = sql`(${isDue} and not (${hires.autoRenew} and ${agentStatus} = 'active'))`
  const termSeconds = sql`(${hires.termDays} * 86400)`
  const passedTerms = sql`floor(extract(epoch from ${now} - ${hires.expiresAt}) / ${termSeconds})`
  // Whole terms of 24-hour days, in any time zone of the session.
  const renewedUntil = sql`(${hires.expiresAt} + make_interval(secs => ((${passedTerms} + 1) * ${termSeconds})::double precision))`
  return {
    /** An active row whose recorded term is over. */
    isDue,
    /** The end of the term that `now` lies in, for a row that is due. */
    renewedUntil,
    /** A row that has in truth expired. */
    isLapsed,
    status: sql<HireStatus>`case when ${isLapsed} then 'expired' else ${hires.status} end`,
    expiresAt: sql`case when ${isRenewed} then ${renewedUntil} else ${hires.expiresAt} end`.mapWith(
      hires.expiresAt,
    ) as SQL<Date>,
    endedAt: sql`case when ${isLapsed} then ${hires.expiresAt} else ${hires.endedAt} end`.mapWith(
      hires.endedAt,
    ) as SQL<Date | null>,
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

/** Makes a subquery of hires: both sides, whether the agent is suspended, and when the hire ended. */
export const hireParties = (db: Builder, now: SQLWrapper) =>
  db
    .select({
      id: hires.id,
      hirer: sql<string>`${hires.wallet}`.as('hired_by'),
      owner: sql<string>`${agents.pubkey}`.as('hired_from'),
      agentId: hires.agentId,
      isSuspended: sql<boolean>`(${agents.status} = 'suspended')`.as('is_suspended'),
      endedAt: hireTerm(now).endedAt.as('hired_until'),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .as('hired')
