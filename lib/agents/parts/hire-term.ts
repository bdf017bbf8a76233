import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { HireStatus } from '../../../schema/values.ts'

/**
 * Computes what a hire is at `now`, as SQL over a `hires` row and the status of its agent: that of its
 * `agents` row, or `agentStatus` where a statement has the agent from somewhere else. The row records only
 * what was last written; time goes on without writes, so reads and writes both go through these expressions:
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
  // Whole terms of 24-hour days, whatever the session's time zone makes of a day.
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
