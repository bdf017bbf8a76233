import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { reputationTotals } from '../../../schema/tables/counterparties.ts'
import { hirePayments, ownerLayers } from '../../../schema/tables/payers.ts'
import { WEIGHT_UNIT } from './rules.ts'

/** Selects a wallet's running totals; zeros for a wallet without any. */
export const totalsOf = (wallet: SQLWrapper) => ({
  hirers: total(reputationTotals.hirers, wallet),
  counterparties: total(reputationTotals.counterparties, wallet),
  payersWeight: billionths(total(reputationTotals.payersWeight, wallet)),
  satisfiedWeight: billionths(total(reputationTotals.satisfiedWeight, wallet)),
  paidWeight: billionths(total(reputationTotals.paidWeight, wallet)),
})

const total = (column: SQLWrapper, wallet: SQLWrapper): SQL<number> =>
  sql`coalesce((select ${column} from ${reputationTotals} where ${reputationTotals.wallet} = ${wallet}), 0)`.mapWith(
    Number,
  ) as SQL<number>

const billionths = (sum: SQLWrapper): SQL<bigint> => sql`${sum}`.mapWith(BigInt) as SQL<bigint>

/**
 * Computes the weight of fees in billionths, 1 from a full step on, like payer_weight in schema/functions.
 */
const weightSql = (fee: SQLWrapper, feeStep: SQLWrapper): SQL =>
  sql`div(least(${fee}, ${feeStep}) * ${sql.raw(String(WEIGHT_UNIT))}, ${feeStep})::bigint`

/**
 * Selects the weight of a range of layers, in billionths, by the fees paid to an owner for each. Reads at
 * most one row for each layer.
 */
export const layersWeightOf = (
  owner: SQLWrapper,
  layers: { first: number; last: number },
  feeStep: SQLWrapper,
): SQL<bigint> =>
  billionths(sql`(
    select coalesce(sum(${weightSql(ownerLayers.fee, feeStep)}), 0) from ${ownerLayers}
    where ${ownerLayers.owner} = ${owner} and ${ownerLayers.layer} between ${layers.first} and ${layers.last})`)

/** Selects the lamports collected for a hire; 0 for a hire of one's own agent. */
export function collectedOf(hireId: SQLWrapper): SQL<bigint> {
  // SQL within SQL, because Drizzle removes table names from columns in a select from one table.
  const found = sql`(select ${hirePayments.collected} from ${hirePayments} where ${hirePayments.hireId} = ${hireId})`
  return sql`coalesce(${found}, 0)`.mapWith(BigInt) as SQL<bigint>
}
