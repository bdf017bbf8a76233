import { eq, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { Builder } from '../db/builder.ts'
import { MOST_DISSATISFIED, WEIGHT_UNIT } from './rules.ts'
import { agentScoreSql } from './score-queries.ts'

/*
 * What payers weigh, as parts of the statements that change it: a payment, a rating. A payer's row is the
 * fact; agents and standings have sums over these rows, to which a statement adds how far it has changed
 * them. Every such statement locks in one order: the agents by id, payers, owner_layers, standings.
 */

/** What a payer weighs by its fees, in whole billionths: 1 from a full step on. */
export const weightSql = (fee: SQLWrapper, feeStep: SQLWrapper): SQL =>
  sql`div(least(${fee}, ${feeStep}) * ${sql.raw(String(WEIGHT_UNIT))}, ${feeStep})::bigint`

/** Whether a payer counts as satisfied by its latest rating: one that has not rated does. */
export const isSatisfied = (rating: SQLWrapper): SQL =>
  sql`coalesce(${rating} > ${sql.raw(String(MOST_DISSATISFIED))}, true)`

/** The CTE `payee`: locks the agents of these ids, in the order of the ids. */
export const lockPayees = (db: Builder, agentIds: SQLWrapper) =>
  db.$with('payee', { id: agents.id }).as(sql`
    select ${agents.id} from ${agents} where ${agents.id} in (${agentIds})
    order by ${agents.id} for no key update`)

/** A CTE with a row for each payer and payee: how far it has changed, in billionths but for the count. */
type Change = WithSubquery &
  Record<
    'kind' | 'payee' | 'weight' | 'satisfiedWeight' | 'ratedWeight' | 'ratingSum' | 'ratings',
    SQLWrapper
  >

/** A sum of billionths, which Postgres would make a numeric. */
export const sumOf = (billionths: SQLWrapper): SQL => sql`sum(${billionths})::bigint`

/** The CTEs that add changes of payers to the sums of the agents that they paid, whose scores follow. */
export function scoreAgents(db: Builder, change: Change) {
  const more = db.$with('more').as(
    db
      .select({
        agentId: sql`${change.payee}::uuid`.as('more_agent_id'),
        weight: sumOf(change.weight).as('more_weight'),
        satisfiedWeight: sumOf(change.satisfiedWeight).as('more_satisfied_weight'),
        ratings: sumOf(change.ratings).as('more_ratings'),
        ratedWeight: sumOf(change.ratedWeight).as('more_rated_weight'),
        ratingSum: sumOf(change.ratingSum).as('more_rating_sum'),
      })
      .from(change)
      .where(sql`${change.kind} = 'agent'`)
      .groupBy(sql`${change.payee}`),
  )
  const payersWeight = sql`(${agents.payersWeight} + ${more.weight})`
  const satisfiedWeight = sql`(${agents.satisfiedWeight} + ${more.satisfiedWeight})`
  const scored = db.$with('scored').as(
    db
      .update(agents)
      .set({
        payersWeight,
        satisfiedWeight,
        ratings: sql`${agents.ratings} + ${more.ratings}`,
        ratedWeight: sql`${agents.ratedWeight} + ${more.ratedWeight}`,
        ratingSum: sql`${agents.ratingSum} + ${more.ratingSum}`,
        reputationScore: agentScoreSql({ hirers: agents.hirers, payersWeight, satisfiedWeight }),
      })
      .from(more)
      .where(eq(agents.id, more.agentId))
      .returning({ id: agents.id }),
  )
  return [more, scored] as const
}
