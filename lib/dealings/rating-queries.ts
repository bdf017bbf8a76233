import { and, eq, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { standings } from '../../schema/tables/dealings.ts'
import { payers } from '../../schema/tables/payers.ts'
import type { Builder } from '../db/builder.ts'
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
  const rater = db.$with('rater').as(
    db
      .select({
        kind: payers.kind,
        payee: payers.payee,
        payer: payers.payer,
        before: sql`${payers.rating}`.as('rating_before'),
        after: sql`${given.rating}`.as('rating_after'),
        weight: weightSql(payers.fee, payers.feeStep).as('rater_weight'),
      })
      .from(payers)
      .innerJoin(
        given,
        sql`(${payers.kind}, ${payers.payee}) in (('agent', ${given.agentId}::text), ('owner', ${given.owner}))
          and ${payers.payer} = ${given.wallet}`,
      )
      .orderBy(payers.kind)
      .for('no key update', { of: payers }),
  )
  const rated = db.$with('rated').as(
    db
      .update(payers)
      .set({ rating: sql`${rater.after}` })
      .from(rater)
      .where(and(eq(payers.kind, rater.kind), eq(payers.payee, rater.payee), eq(payers.payer, rater.payer)))
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
  return [rater, rated, change, ...scoreAgents(db, { payee, change }), owner, standing] as const
}
