import { and, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { boolean } from 'drizzle-orm/pg-core'
import { hirePeriods } from '../../../schema/tables/hire-periods.ts'
import { MAX_CHARGED } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import { computed, name, names } from '../../db/columns.ts'

/*
 * Periods of hires and what is spent of their budgets, as parts of other statements. A period is a term: it
 * has no row before its first charge, and is computed from the hire.
 */

/** The beginning of the period that ends with a hire's term of whole 24-hour days. */
export const periodStart = (hire: { expiresAt: SQLWrapper; termDays: SQLWrapper }): SQL =>
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

/** A CTE of at most one charge that is to be taken from its period's budget. */
type Offer = WithSubquery & {
  hireId: SQLWrapper
  amount: SQLWrapper
  budgetLimit: SQLWrapper
  startsAt: SQLWrapper
  endsAt: SQLWrapper
}

const spending = computed({ fits: boolean(), ranLow: boolean('ran_low'), ranOut: boolean('ran_out') })

/** The budget has run low when so much of it is spent. */
const LOW = { parts: 4, of: 5 }

/**
 * The CTE `period`: takes a charge from its period's budget if it `fits`, and says whether the budget
 * `ranLow` or `ranOut` by it, each of which it does once. A charge that does not fit makes it run out, too;
 * but in a period in which nothing was charged it has no row, so that who is only refused leaves nothing.
 * All of it is decided on the locked row, so that parallel charges can't pass the limit together.
 */
export function spend(db: Builder, { offer, chargeId }: { offer: Offer; chargeId: SQLWrapper }) {
  const { hireId, startsAt, endsAt, spent, lastChargeId, lowById, exhaustedById } = hirePeriods
  const the = (column: SQLWrapper) => sql`(select ${column} from ${offer})`
  const amount = the(offer.amount)
  const budget = the(offer.budgetLimit)
  const limit = sql`coalesce(${budget}, ${sql.raw(String(MAX_CHARGED))})`
  /** What a row becomes of which so much was spent, and which had these charges noted. */
  const after = (before: { spent: SQL; last: SQL; low: SQL; exhausted: SQL }) => {
    const fits = sql`${before.spent} + ${amount} <= ${limit}`
    const isLow = sql`${fits} and (${before.spent} + ${amount}) * ${LOW.of}::bigint >= ${budget} * ${LOW.parts}::bigint`
    const isOut = sql`${before.spent} + ${amount} >= ${budget}`
    return {
      spent: sql`${before.spent} + case when ${fits} then ${amount} else 0 end`,
      last: sql`case when ${fits} then ${chargeId} else ${before.last} end`,
      low: sql`coalesce(${before.low}, case when ${isLow} then ${chargeId} end)`,
      exhausted: sql`coalesce(${before.exhausted}, case when ${isOut} then ${chargeId} end)`,
    }
  }
  const none = sql`null::uuid`
  const first = after({ spent: sql`0::bigint`, last: none, low: none, exhausted: none })
  const next = after({
    spent: sql`${spent}`,
    last: sql`${lastChargeId}`,
    low: sql`${lowById}`,
    exhausted: sql`${exhaustedById}`,
  })
  return db.$with('period', { hireId, startsAt, endsAt, spent, ...spending }).as(sql`
    insert into ${hirePeriods} (${names(hireId, startsAt, endsAt, spent, lastChargeId, lowById, exhaustedById)})
    select ${offer.hireId}, ${offer.startsAt}, ${offer.endsAt}, ${first.spent}, ${first.last}, ${first.low},
      ${first.exhausted} from ${offer}
    where ${amount} <= ${limit} or exists (select from ${hirePeriods}
      where ${hireId} = ${the(offer.hireId)} and ${startsAt} = ${the(offer.startsAt)})
    on conflict (${names(hireId, startsAt)}) do update set ${name(spent)} = ${next.spent},
      ${name(lastChargeId)} = ${next.last}, ${name(lowById)} = ${next.low},
      ${name(exhaustedById)} = ${next.exhausted}
    returning ${hireId}, ${startsAt}, ${endsAt}, ${spent},
      ${lastChargeId} is not distinct from ${chargeId} as ${name(spending.fits)},
      ${lowById} is not distinct from ${chargeId} as ${name(spending.ranLow)},
      ${exhaustedById} is not distinct from ${chargeId} as ${name(spending.ranOut)}`)
}

/** The CTE `credited`: gives the amount of voided charges back to their period. */
export const credit = (
  db: Builder,
  voided: WithSubquery & { hireId: SQLWrapper; periodStart: SQLWrapper; amount: SQLWrapper },
) =>
  db.$with('credited').as(
    db
      .update(hirePeriods)
      .set({ spent: sql`${hirePeriods.spent} - ${voided.amount}` })
      .from(voided)
      .where(
        and(
          sql`${hirePeriods.hireId} = ${voided.hireId}`,
          sql`${hirePeriods.startsAt} = ${voided.periodStart}`,
        ),
      )
      .returning({ hireId: hirePeriods.hireId }),
  )
