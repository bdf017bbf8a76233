import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/* amountOf, faultsOf and unitsOf of lib/payments/rules.ts in SQL, by the same steps. */

type Fee = { feeModel: SQLWrapper; feeAmount: SQLWrapper }
type Work = { units: SQLWrapper; capturedValue: SQLWrapper; share: SQLWrapper }

/** What a charge comes to, as a numeric, since it may be too large; null if it does not fit the fee. */
export function amountSql({ feeModel, feeAmount }: Fee, { units, capturedValue, share }: Work): SQL {
  const ofUnits = sql`coalesce(${units}, 1)::numeric * ${feeAmount}`
  return sql`case ${feeModel}
    when 'flat' then case when num_nonnulls(${capturedValue}, ${share}) = 0 then ${ofUnits} end
    when 'percentage' then case when num_nonnulls(${units}, ${share}) = 0
      then div(${capturedValue}::numeric * ${feeAmount}, 10000) end
    when 'hybrid' then case when num_nulls(${capturedValue}, ${share}) = 2 then ${ofUnits}
      when ${share} <= ${capturedValue} then ${ofUnits} + ${share} end
  end`
}

/** The units that it is recorded with. */
export const unitsSql = ({ feeModel }: Pick<Fee, 'feeModel'>, units: SQLWrapper): SQL =>
  sql`case when ${feeModel} <> 'percentage' then coalesce(${units}, 1) end`
