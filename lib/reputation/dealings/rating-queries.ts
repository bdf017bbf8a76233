import { and, eq, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { standings } from '../../../schema/tables/dealings.ts'
import { payers } from '../../../schema/tables/payers.ts'
import type { Builder } from '../../db/builder.ts'
import { name } from '../../db/columns.ts'
import { isSatisfied, type lockPayees, scoreAgents, weightSql } from './weight-queries.ts'

/** A CTE with one rating at most, by a wallet that has paid the agent. */
type Given = WithSubquery & Record<'agentId' | 'owner' | 'wallet' | 'rating', SQLWrapper>

/**
 * The CTEs that make a rating its payer's latest, of the agent and of its owner, with what that changes in
 * their sums and the agent's score. Locks what weight-queries.ts says, in that order.
 * @param payee the agent, locked
 */
export function recordRating(
  db: Builder,
  { given, payee }: { given: Given; payee: ReturnType<typeof lockPayees> },
) {
  const { kind, payee: paidTo, payer, rating } = payers
  // A row for each, so that the payer's rows are found by their key. By a join: of a union, Postgres forgets
  // the rows when it looks again at a payer's row that it has waited for.
  const ofEach = db.$with('rating_of', { kind, paidTo, payer, rating }).as(sql`
    select each.kind as ${name(kind)}, case each.kind when 'agent' then ${given.agentId}::text else ${given.owner} end
      as ${name(paidTo)}, ${given.wallet} as ${name(payer)}, ${given.rating} as ${name(rating)}
    from ${given} cross join (values ('agent'), ('owner')) as each (kind)`)
  const rater = db.$with('rater').as(
    db
      .select({
        kind,
        payee: paidTo,
        payer,
        before: sql`${rating}`.as('rating_before'),
        after: sql`${ofEach.rating}`.as('rating_after'),
        weight: weightSql(payers.fee, payers.feeStep).as('rater_weight'),
      })
      .from(payers)
      .innerJoin(ofEach, and(eq(kind, ofEach.kind), eq(paidTo, ofEach.paidTo), eq(payer, ofEach.payer)))
      .orderBy(kind)
      .for('no key update', { of: payers }),
  )
  const rated = db.$with('rated').as(
    db
      .update(payers)
      .set({ rating: sql`${rater.after}` })
      .from(rater)
      .where(and(eq(kind, rater.kind), eq(paidTo, rater.payee), eq(payer, rater.payer)))
      .returning({ payee: payers.payee }),
  )
  const { before, after, weight } = rater
  const change = db.$with('rerated').as(
    db
      .select({
        kind: sql`${rater.kind}`.as('rerated_kind'),
        payee: sql`${rater.payee}`.as('rerated_payee'),
        weight: sql`0`.as('rerated_weight'),
        satisfiedWeight:
          sql`${weight} * (${isSatisfied(after)}::integer - ${isSatisfied(before)}::integer)`.as(
            'rerated_satisfied_weight',
          ),
        ratings: sql`(${before} is null)::integer`.as('rerated_ratings'),
        ratedWeight: sql`${weight} * (${before} is null)::integer`.as('rerated_rated_weight'),
        ratingSum: sql`${weight} * (${after} - coalesce(${before}, 0))`.as('rerated_rating_sum'),
      })
      .from(rater),
  )
  const owner = db.$with('rated_owner').as(
    db
      .select({
        wallet: standings.wallet,
        payersWeight: standings.payersWeight,
        satisfiedWeight: sql`${standings.satisfiedWeight} + ${change.satisfiedWeight}`.as(
          'rated_satisfied_weight',
        ),
      })
      .from(standings)
      .innerJoin(change, sql`${standings.wallet} = ${change.payee} and ${change.kind} = 'owner'`)
      .for('no key update', { of: standings }),
  )
  // Both sums, which are checked against each other: see scoreAgents.
  const standing = db.$with('rated_standing').as(
    db
      .update(standings)
      .set({
        payersWeight: sql`${owner.payersWeight}`,
        satisfiedWeight: sql`${owner.satisfiedWeight}`,
      })
      .from(owner)
      .where(eq(standings.wallet, owner.wallet))
      .returning({ wallet: standings.wallet }),
  )
  return [ofEach, rater, rated, change, ...scoreAgents(db, { payee, change }), owner, standing] as const
}
