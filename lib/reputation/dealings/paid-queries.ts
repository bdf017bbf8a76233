import { type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { standings } from '../../../schema/tables/dealings.ts'
import { hirePayments, ownerLayers, payers } from '../../../schema/tables/payers.ts'
import type { Builder } from '../../db/builder.ts'
import { name, names } from '../../db/columns.ts'
import { isSatisfied, lockPayees, scoreAgents, sumOf, weightSql } from './weight-queries.ts'

/**
 * A CTE with a row for each hire and layer (null: of none) that was paid for: `amount` lamports were
 * collected, `fee` of them as protocol fee.
 */
type Paid = WithSubquery &
  Record<'hireId' | 'agentId' | 'owner' | 'payer' | 'layer' | 'amount' | 'fee', SQLWrapper>

/**
 * The CTEs that count what was collected, for the statement that records the collection:
 * `db.with(…, paid, ...recordPaid(db, { paid, feeStep }))`. They keep what payers, owners' layers and hires
 * come to, the agents' scores, and the standings of both sides. A hire of one's own agent counts nothing.
 *
 * `paid` must have what was collected once, ever: nothing here keeps it from counting again. Locks are taken
 * in the order of weight-queries.ts, after all of the statement's own.
 * @param feeStep the setting FEE_STEP in lamports, more than 0
 */
export function recordPaid(db: Builder, { paid, feeStep }: { paid: Paid; feeStep: SQLWrapper }) {
  const isByAnother = sql`${paid.owner} <> ${paid.payer}`
  const payee = lockPayees(db, sql`select ${paid.agentId} from ${paid} where ${isByAnother}`)
  const payment = db.$with('payment').as(
    db
      .select({
        hireId: sql`${paid.hireId}`.as('payment_hire_id'),
        agentId: sql`${paid.agentId}`.as('payment_agent_id'),
        owner: sql`${paid.owner}`.as('payment_owner'),
        payer: sql`${paid.payer}`.as('payment_payer'),
        layer: sql`${paid.layer}`.as('payment_layer'),
        amount: sql`${paid.amount}`.as('payment_amount'),
        fee: sql`${paid.fee}`.as('payment_fee'),
      })
      .from(paid)
      .innerJoin(payee, sql`${payee.id} = ${paid.agentId}`)
      .where(isByAnother),
  )
  const { kind, payee: paidTo, payer, fee } = payers
  // What each payer has paid each payee now. The columns are named as the table's.
  const paying = db.$with('paying', { kind, paidTo, payer, fee }).as(sql`
    select ${names(kind, paidTo, payer)}, sum(${name(fee)}) as ${name(fee)} from (
      select 'agent', ${payment.agentId}::text, ${payment.payer}, ${payment.fee} from ${payment}
      union all select 'owner', ${payment.owner}, ${payment.payer}, ${payment.fee} from ${payment}
    ) as paying_for (${names(kind, paidTo, payer, fee)})
    group by ${names(kind, paidTo, payer)}`)
  const paidBy = db
    .$with('paid_by', { kind, paidTo, payer, fee, feeStep: payers.feeStep, rating: payers.rating })
    .as(sql`
    insert into ${payers} (${names(kind, paidTo, payer, fee, payers.feeStep)})
    select ${names(kind, paidTo, payer, fee)}, ${feeStep} from ${paying} order by ${names(kind, paidTo, payer)}
    on conflict (${names(kind, paidTo, payer)}) do update set ${name(fee)} = ${fee} + excluded.${name(fee)}
    returning ${names(kind, paidTo, payer, fee, payers.feeStep, payers.rating)}`)
  const layer = db.$with('paid_layer', { owner: ownerLayers.owner }).as(sql`
    insert into ${ownerLayers} (${names(ownerLayers.owner, ownerLayers.layer, ownerLayers.fee)})
    select ${payment.owner}, ${payment.layer}, sum(${payment.fee}) from ${payment}
    where ${payment.layer} is not null and ${isDone(paidBy)}
    group by 1, 2 order by 1, 2
    on conflict (${names(ownerLayers.owner, ownerLayers.layer)})
      do update set ${name(ownerLayers.fee)} = ${ownerLayers.fee} + excluded.${name(ownerLayers.fee)}
    returning ${ownerLayers.owner}`)
  const { hireId, collected } = hirePayments
  // Hires of locked agents: nobody else has them.
  const hire = db.$with('paid_hire', { hireId }).as(sql`
    insert into ${hirePayments} (${names(hireId, collected)})
    select ${payment.hireId}, sum(${payment.amount}) from ${payment} group by 1
    on conflict (${name(hireId)}) do update set ${name(collected)} = ${collected} + excluded.${name(collected)}
    returning ${hirePayments.hireId}`)
  const gained = sql`(${weightSql(paidBy.fee, paidBy.feeStep)} - ${weightSql(sql`(${paidBy.fee} - ${paying.fee})`, paidBy.feeStep)})`
  const change = db.$with('gained').as(
    db
      .select({
        kind: sql`${paidBy.kind}`.as('gained_kind'),
        payee: sql`${paidBy.paidTo}`.as('gained_payee'),
        payer: sql`${paidBy.payer}`.as('gained_payer'),
        weight: sql`${gained}`.as('gained_weight'),
        satisfiedWeight: sql`case when ${isSatisfied(paidBy.rating)} then ${gained} else 0 end`.as(
          'gained_satisfied_weight',
        ),
        ratedWeight: sql`case when ${paidBy.rating} is null then 0 else ${gained} end`.as(
          'gained_rated_weight',
        ),
        ratingSum: sql`coalesce(${paidBy.rating}, 0) * ${gained}`.as('gained_rating_sum'),
        ratings: sql`0`.as('gained_ratings'),
      })
      .from(paidBy)
      .innerJoin(
        paying,
        sql`(${paying.kind}, ${paying.paidTo}, ${paying.payer}) = (${paidBy.kind}, ${paidBy.paidTo}, ${paidBy.payer})`,
      )
      .where(isDone(layer)),
  )
  return [
    payee,
    payment,
    paying,
    paidBy,
    layer,
    hire,
    change,
    ...scoreAgents(db, { payee, change }),
    addStandings(db, change),
  ] as const
}

/** Holds what depends on it back until a CTE's changes are made, all of them. */
const isDone = (cte: { _: { alias: string } }) =>
  sql`(select count(*) from ${sql.identifier(cte._.alias)}) >= 0`

type Gained = WithSubquery & Record<'kind' | 'payee' | 'payer' | 'weight' | 'satisfiedWeight', SQLWrapper>

/** The CTE `paid_standing`: adds what payers have gained to the standings of owners, and to their own. */
function addStandings(db: Builder, gained: Gained) {
  const { wallet, payersWeight, satisfiedWeight, paidWeight } = standings
  const sums = [payersWeight, satisfiedWeight, paidWeight]
  const ofOwners = sql`from ${gained} where ${gained.kind} = 'owner'`
  return db.$with('paid_standing', { wallet }).as(sql`
    insert into ${standings} (${names(wallet, ...sums)})
    select ${name(wallet)}, ${commaSeparated(sums.map((sum) => sumOf(name(sum))))} from (
      select ${gained.payee}, ${gained.weight}, ${gained.satisfiedWeight}, 0 ${ofOwners}
      union all select ${gained.payer}, 0, 0, ${gained.weight} ${ofOwners}
    ) as gained_by (${names(wallet, ...sums)})
    group by ${name(wallet)} order by ${name(wallet)}
    on conflict (${name(wallet)}) do update
      set ${commaSeparated(sums.map((sum) => sql`${name(sum)} = ${sum} + excluded.${name(sum)}`))}
    returning ${standings}.${name(wallet)}`)
}

const commaSeparated = (parts: SQL[]) => sql.join(parts, sql`, `)
