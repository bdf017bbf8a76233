import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import type { ChargeState } from '../../../schema/values.ts'
import { agentOfHire } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'
import { LAPSE_DAYS } from '../rules.ts'

/** A charge with its state. */
export type Charge = typeof charges.$inferSelect & { state: ChargeState }

/** Reads a charge by its reference, among the charges of the hire's agent. */
export const chargeOfReference = read({ hireId: charges.hireId, reference: charges.reference }, (db, $) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.agentId, agentOfHire($.hireId)), eq(charges.reference, $.reference))),
)

/** Reads a charge's row after a write in the same transaction. */
export const chargeAsStored = read({ id: charges.id, owner: charges.owner }, (db, $) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.id, $.id), eq(charges.owner, $.owner))),
)

/**
 * Computes the state of a charge at `now`. The row has the states voided and collected. A recorded charge may
 * be in a collection, or have lapsed after its hire ended.
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

/** Checks whether the charges on a hire have lapsed at `now`, so that they can't be collected any more. */
export const hasLapsed = (hire: { endedAt: SQLWrapper }, now: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(${hire.endedAt} is not null
    and ${hire.endedAt} + make_interval(secs => ${LAPSE_DAYS}::integer * 86400) <= ${now})`
