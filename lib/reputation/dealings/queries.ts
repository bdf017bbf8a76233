import { type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { dealings, standings } from '../../../schema/tables/dealings.ts'
import { hirePayments, ownerLayers } from '../../../schema/tables/payers.ts'
import type { dealingKinds } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import { name, names } from '../../db/columns.ts'
import { weightSql } from './weight-queries.ts'

/*
 * Dealings, as parts of the statements that make them. What is counted is what was really inserted, so a pair
 * counts once. Rows are inserted in the order of their keys, pairs before totals, by every statement: so no
 * two of them can deadlock.
 */

/** A dealing of each row of a CTE. */
type NewDealing = {
  wallet: SQLWrapper
  kind: (typeof dealingKinds)[number]
  other: SQLWrapper
  from: WithSubquery
}

/** The CTE `dealing`: records dealings that are new. {@link countDealings} counts them. */
export function recordDealings(db: Builder, made: readonly [NewDealing, ...NewDealing[]]) {
  const { wallet, kind, other } = dealings
  const all = sql.join(
    made.map((one) => sql`select ${one.wallet}, ${one.kind}::text, ${one.other} from ${one.from}`),
    sql` union `,
  )
  return db.$with('dealing', { wallet, kind }).as(sql`
    insert into ${dealings} (${names(wallet, kind, other)})
    select * from (${all}) as made (${names(wallet, kind, other)}) order by ${names(wallet, kind, other)}
    on conflict do nothing
    returning ${names(wallet, kind)}`)
}

/** The CTE `standing`: adds new dealings to the wallets' totals. */
export function countDealings(db: Builder, dealing: ReturnType<typeof recordDealings>) {
  const { wallet, hirers, counterparties } = standings
  const of = (kind: NewDealing['kind']) => sql`count(*) filter (where ${dealing.kind} = ${kind}::text)`
  const plus = (total: typeof hirers | typeof counterparties) =>
    sql`${name(total)} = ${total} + excluded.${name(total)}`
  return db.$with('standing', { wallet }).as(sql`
    insert into ${standings} (${names(wallet, hirers, counterparties)})
    select ${dealing.wallet}, ${of('hirer')}, ${of('counterparty')}
    from ${dealing} group by ${dealing.wallet} order by ${dealing.wallet}
    on conflict (${name(wallet)}) do update set ${plus(hirers)}, ${plus(counterparties)}
    returning ${standings}.${name(wallet)}`)
}

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
