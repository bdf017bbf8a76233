import { eq, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { Builder } from '../../db/builder.ts'
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

/** The CTE `payee`: locks the agents of these ids, in the order of the ids, and reads sums and webhooks. */
export const lockPayees = (db: Builder, agentIds: SQLWrapper) =>
  db.$with('payee').as(
    db
      .select({
        id: agents.id,
        webhookUrl: agents.webhookUrl,
        hirers: agents.hirers,
        payersWeight: agents.payersWeight,
        satisfiedWeight: agents.satisfiedWeight,
        ratings: agents.ratings,
        ratedWeight: agents.ratedWeight,
        ratingSum: agents.ratingSum,
      })
      .from(agents)
      .where(sql`${agents.id} in (${agentIds})`)
      .orderBy(agents.id)
      .for('no key update'),
  )

type LockedPayees = ReturnType<typeof lockPayees>

/** A CTE with a row for each payer and payee: how far it has changed, in billionths but for the count. */
type Change = WithSubquery &
  Record<
    'kind' | 'payee' | 'weight' | 'satisfiedWeight' | 'ratedWeight' | 'ratingSum' | 'ratings',
    SQLWrapper
  >

/** A sum of billionths, which Postgres would make a numeric. */
export const sumOf = (billionths: SQLWrapper): SQL => sql`sum(${billionths})::bigint`

/**
 * The CTEs that add changes of payers to the sums of the locked agents, whose scores follow. The sums are
 * taken from the lock: an update first computes and checks its row as it was when the statement began.
 */
export function scoreAgents(db: Builder, { payee, change }: { payee: LockedPayees; change: Change }) {
  const more = db.$with('more').as(
    db
      .select({
        agentId: sql`${change.payee}::uuid`.as('more_agent_id'),
        payersWeight: sumOf(change.weight).as('more_weight'),
        satisfiedWeight: sumOf(change.satisfiedWeight).as('more_satisfied_weight'),
        ratings: sumOf(change.ratings).as('more_ratings'),
        ratedWeight: sumOf(change.ratedWeight).as('more_rated_weight'),
        ratingSum: sumOf(change.ratingSum).as('more_rating_sum'),
      })
      .from(change)
      .where(sql`${change.kind} = 'agent'`)
      .groupBy(sql`${change.payee}`),
  )
  const grown = <Sum extends keyof typeof more & keyof typeof payee>(sum: Sum) =>
    sql`(${payee[sum]} + ${more[sum]})`
  const payersWeight = grown('payersWeight')
  const satisfiedWeight = grown('satisfiedWeight')
  const scored = db.$with('scored').as(
    db
      .update(agents)
      .set({
        payersWeight,
        satisfiedWeight,
        ratings: grown('ratings'),
        ratedWeight: grown('ratedWeight'),
        ratingSum: grown('ratingSum'),
        reputationScore: agentScoreSql({ hirers: payee.hirers, payersWeight, satisfiedWeight }),
      })
      .from(more)
      .innerJoin(payee, eq(payee.id, more.agentId))
      .where(eq(agents.id, payee.id))
      .returning({ id: agents.id }),
  )
  return [more, scored] as const
}
