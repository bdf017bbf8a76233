import { type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { dealings, standings } from '../../schema/tables/dealings.ts'
import type { dealingKinds } from '../../schema/values.ts'
import type { Builder } from '../db/builder.ts'
import { name, names } from '../db/columns.ts'

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
})

const total = (column: SQLWrapper, wallet: SQLWrapper): SQL<number> =>
  sql`coalesce((select ${column} from ${standings} where ${standings.wallet} = ${wallet}), 0)`.mapWith(
    Number,
  ) as SQL<number>
