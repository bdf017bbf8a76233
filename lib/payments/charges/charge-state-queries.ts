import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { ChargeState } from '../../../schema/values.ts'
import { LAPSE_DAYS } from '../rules.ts'

/**
 * Computes what has become of a charge at `now`. Its row says whether it was voided or collected; a recorded
 * one may be in a collection, or have lapsed with its hire.
 * @param hire when the hire ended; null while it has not
 */
export const chargeState = (
  charge: { status: SQLWrapper; collectionId: SQLWrapper },
  hire: { endedAt: SQLWrapper },
  now: SQLWrapper,
): SQL<ChargeState> =>
  sql<ChargeState>`case when ${charge.status} <> 'recorded' then ${charge.status}
    when ${charge.collectionId} is not null then 'collecting'
    when ${hasLapsed(hire, now)} then 'lapsed'
    else 'recorded' end`

/** Whether charges on a hire have lapsed at `now`, so that they can't be collected any more. */
export const hasLapsed = (hire: { endedAt: SQLWrapper }, now: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(${hire.endedAt} is not null
    and ${hire.endedAt} + make_interval(secs => ${LAPSE_DAYS}::integer * 86400) <= ${now})`
