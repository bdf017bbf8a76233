import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { standings } from '../../../schema/tables/dealings.ts'
import { hirePayments, ownerLayers } from '../../../schema/tables/payers.ts'
import { WEIGHT_UNIT } from './rules.ts'

/** A wallet's running totals, as columns of a select. One that never dealt has none: zeros. */
export const totalsOf = (wallet: SQLWrapper) => ({
  hirers: total(standings.hirers, wallet),
  counterparties: total(standings.counterparties, wallet),
  payersWeight: billionths(total(standings.payersWeight, wallet)),
  satisfiedWeight: billionths(total(standings.satisfiedWeight, wallet)),
  paidWeight: billionths(total(standings.paidWeight, wallet)),
})

const total = (column: SQLWrapper, wallet: SQLWrapper): SQL<number> =>
  sql`coalesce((select ${column} from ${standings} where ${standings.wallet} = ${wallet}), 0)`.mapWith(
    Number,
  ) as SQL<number>

const billionths = (sum: SQLWrapper): SQL<bigint> => sql`${sum}`.mapWith(BigInt) as SQL<bigint>

/** What fees weigh, in whole billionths: 1 from a full step on, as payer_weight (schema/functions) has it. */
const weightSql = (fee: SQLWrapper, feeStep: SQLWrapper): SQL =>
  sql`div(least(${fee}, ${feeStep}) * ${sql.raw(String(WEIGHT_UNIT))}, ${feeStep})::bigint`

/**
 * What a range of layers weighs by the fees that were paid to an owner for each, in billionths, as a column
 * of a select: at most a row for each layer.
 */
export const layersWeightOf = (
  owner: SQLWrapper,
  layers: { first: number; last: number },
  feeStep: SQLWrapper,
): SQL<bigint> =>
  billionths(sql`(
    select coalesce(sum(${weightSql(ownerLayers.fee, feeStep)}), 0) from ${ownerLayers}
    where ${ownerLayers.owner} = ${owner} and ${ownerLayers.layer} between ${layers.first} and ${layers.last})`)

/** What was collected for a hire, in lamports, as a column of a select; nothing of one's own agent's. */
export function collectedOf(hireId: SQLWrapper): SQL<bigint> {
  // SQL within SQL: of a select from one table Drizzle takes the tables' names off columns outside it.
  const found = sql`(select ${hirePayments.collected} from ${hirePayments} where ${hirePayments.hireId} = ${hireId})`
  return sql`coalesce(${found}, 0)`.mapWith(BigInt) as SQL<bigint>
}
