import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { HALF_OF_FREE_HIRERS, MAX_SCORE, SHARES, WEIGHT_UNIT, WILSON_Z } from './rules.ts'

const number = (value: number) => sql`${value}::double precision`

/**
 * Computes agentScore of rules.ts in SQL, by the same operations in the same order.
 * @param of an agent's count of hirers, and sums of its payers' weights in billionths
 */
export function agentScoreSql(of: {
  hirers: SQLWrapper
  payersWeight: SQLWrapper
  satisfiedWeight: SQLWrapper
}): SQL<number> {
  const weight = (billionths: SQLWrapper) => sql`${billionths}::double precision / ${number(WEIGHT_UNIT)}`
  const zz = WILSON_Z * WILSON_Z
  const spread = sql`(${number(WILSON_Z)} * sqrt(${number(zz / 4)} + (k * (n - k)) / n))`
  const bound = sql`case when n = 0 then 0 else (k * k) / (n * (k + ${number(zz / 2)} + ${spread})) end`
  const reliability = sql`(${number(SHARES.paid)} * (${bound}) + ${number(SHARES.free)} * (u / (u + ${number(HALF_OF_FREE_HIRERS)})))`
  return sql<number>`(
    select round(${number(MAX_SCORE)} * ${reliability} * 100) / 100
    from (select ${of.hirers}::double precision as u, ${weight(of.payersWeight)} as n,
      ${weight(of.satisfiedWeight)} as k) as known)`
}
