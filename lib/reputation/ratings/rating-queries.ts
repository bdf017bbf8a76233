import { and, desc, eq, getTableColumns, gte, isNull, lte, sql } from 'drizzle-orm'
import { ratings } from '../../../schema/tables/ratings.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { agentOf, partiesOf } from '../../agents/parts/hire-parties-queries.ts'
import { lockedAgents } from '../../agents/parts/hired-queries.ts'
import { batch } from '../../db/batch.ts'
import { columnsOf, name } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read, statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { collectedOf } from '../dealings/queries.ts'
import { recordRating } from '../dealings/rating-queries.ts'
import { lockPayees } from '../dealings/weight-queries.ts'
import { ratingChanged } from '../event-queries.ts'

/** A rating, and the lamports that its wallet has paid for the hire. */
export type RatingRow = typeof ratings.$inferSelect & { paid: bigint }

/** Locks the agent first, so that what follows sees what whoever had it locked has recorded. */
const agentLocked = statement({ hireId: ratings.hireId, wallet: ratings.wallet }, (db, $) =>
  lockedAgents(db, agentOf(db, { id: $.hireId, wallet: $.wallet })),
)

const ratingRecord = statement(
  {
    id: ratings.id,
    hireId: ratings.hireId,
    wallet: ratings.wallet,
    rating: ratings.rating,
    comment: ratings.comment,
    now: 'timestamptz',
    minPaid: 'bigint',
    revisableSince: 'timestamptz',
  },
  (db, $) => {
    const hired = partiesOf(db, { id: $.hireId, wallet: $.wallet })
    const paid = collectedOf(hired.hireId)
    const mayRate = and(sql`${hired.owner} <> ${hired.wallet}`, sql`${paid} >= ${$.minPaid}`)
    const payee = lockPayees(db, sql`select ${hired.agentId} from ${hired} where ${mayRate}`)
    const { rating, comment, revisedAt } = ratings
    const isRevision = sql`(${revisedAt} is null and ${ratings.createdAt} > ${$.revisableSince}
      and (${rating}, ${comment}) is distinct from (${$.rating}, ${$.comment}))`
    const orKept = (column: typeof rating | typeof comment | typeof revisedAt, value: unknown) =>
      sql`${name(column)} = case when ${isRevision} then ${value} else ${column} end`
    const columns = getTableColumns(ratings)
    // A conflict updates in any case, so that the row is returned as it is after all that this waited for.
    const stored = db.$with('stored', columns).as(sql`
      insert into ${ratings} (id, hire_id, agent_id, owner, wallet, rating, comment, created_at)
      select ${$.id}, ${hired.hireId}, ${hired.agentId}, ${hired.owner}, ${hired.wallet}, ${$.rating}, ${$.comment}, ${$.now}
      from ${hired} join ${payee} on ${payee.id} = ${hired.agentId}
      on conflict (hire_id) do update set ${orKept(rating, $.rating)}, ${orKept(comment, $.comment)},
        ${orKept(revisedAt, $.now)}
      returning ${ratings}.*`)
    const isNew = sql<boolean>`(${stored.id} = ${$.id})`
    // As it was before this statement: whoever changes it has locked its agent before.
    const before = db
      .$with('before')
      .as(db.select({ id: ratings.id, revisedAt }).from(ratings).where(eq(ratings.hireId, $.hireId)))
    const given = db.$with('given').as(
      db
        .select({ ...columnsOf(stored), isNew: isNew.as('is_new') })
        .from(stored)
        .leftJoin(before, eq(before.id, stored.id))
        .where(sql`${isNew} or (${before.revisedAt} is null and ${stored.revisedAt} is not null)`),
    )
    const event = recordEvents(db, $.now, [
      ratingChanged(db, 'rating.given', { rating: given, now: $.now }).where(sql`${given.isNew}`),
      ratingChanged(db, 'rating.revised', { rating: given, now: $.now }).where(sql`not ${given.isNew}`),
    ])
    const delivery = putInLine(db, $.now, event, payee)
    return db
      .with(hired, payee, stored, before, given, event, delivery, ...recordRating(db, { given, payee }))
      .select({
        owner: hired.owner,
        paid,
        isNew: sql<boolean>`coalesce(${isNew}, false)`,
        stored: columnsOf(stored),
        due: endpointsDue(delivery),
      })
      .from(hired)
      .leftJoin(stored, sql`true`)
  },
)

/** A rating as its wallet gives it, and what decides whether it may. */
type NewRating = Parameters<typeof ratingRecord.run>[1]

/**
 * Records a wallet's rating of its hire, or revises it, with what that changes in the scores and the event
 * that reports it, in one statement. The agent's row decides the order of ratings and payments, the unique
 * constraint that a hire has one. One round trip.
 * @returns `due`: the endpoints that have something due; `stored` is null when it may not rate it, and
 *   another than was sent when it may revise it no more; undefined when the wallet has no such hire
 */
export async function recordRatingOf(
  db: Db,
  rating: NewRating,
): Promise<
  | {
      owner: Wallet
      paid: bigint
      isNew: boolean
      stored: typeof ratings.$inferSelect | null
      due: string[]
    }
  | undefined
> {
  const { hireId, wallet } = rating
  const [, [row]] = await batch(db, [agentLocked.item({ hireId, wallet }), ratingRecord.item(rating)])
  return row
}

const answerRecord = statement(
  { id: ratings.id, owner: ratings.owner, answer: 'text', now: 'timestamptz' },
  (db, $) => {
    const agent = db.$with('agent').as(
      lockedAgents(
        db,
        db
          .select({ agentId: ratings.agentId })
          .from(ratings)
          .where(and(eq(ratings.id, $.id), eq(ratings.owner, $.owner))),
      ),
    )
    const before = db
      .$with('before')
      .as(
        db
          .select(getTableColumns(ratings))
          .from(ratings)
          .innerJoin(agent, eq(agent.id, ratings.agentId))
          .where(eq(ratings.id, $.id))
          .for('no key update', { of: ratings }),
      )
    const answered = db.$with('answered').as(
      db
        .update(ratings)
        .set({ answer: $.answer, answeredAt: $.now })
        .from(before)
        .where(and(eq(ratings.id, before.id), isNull(before.answer)))
        .returning(getTableColumns(ratings)),
    )
    const event = recordEvents(db, $.now, [
      ratingChanged(db, 'rating.answered', { rating: answered, now: $.now }),
    ])
    const delivery = putInLine(db, $.now, event, agent)
    return db
      .with(agent, before, answered, event, delivery)
      .select({
        before: columnsOf(before),
        answered: columnsOf(answered),
        paid: collectedOf(before.hireId),
        due: endpointsDue(delivery),
      })
      .from(before)
      .leftJoin(answered, sql`true`)
  },
)

/**
 * Records the owner's answer to a rating, unless it has one, with the event that reports it: the row's lock
 * decides which is the first.
 * @returns the rating as it then is, and the endpoints that have something due; undefined when no agent of
 *   the wallet has it
 */
export async function recordAnswer(
  db: Db,
  answer: { id: string; owner: Wallet; answer: string; now: Date },
): Promise<{ rating: RatingRow; due: string[] } | undefined> {
  const [row] = await answerRecord.run(db, answer)
  if (!row) return undefined
  const { before, answered, paid, due } = row
  return { rating: { ...(answered ?? before), paid }, due }
}

const ratingPage = read(
  { agentId: ratings.agentId, beforeId: optional(ratings.id), limit: 'integer' },
  (db, $, shape: { isContinued: boolean }) =>
    db
      .select({ ...getTableColumns(ratings), paid: collectedOf(ratings.hireId) })
      .from(ratings)
      // The agent as a range and in the order: no other index looks as if it would do, such as that of ids.
      .where(
        and(
          gte(ratings.agentId, $.agentId),
          shape.isContinued
            ? sql`(${ratings.agentId}, ${ratings.id}) < (${$.agentId}, ${$.beforeId})`
            : lte(ratings.agentId, $.agentId),
        ),
      )
      .orderBy(desc(ratings.agentId), desc(ratings.id))
      .limit($.limit),
)

/** Reads up to `limit` ratings of an agent, newest first, after one if it is given. */
export const selectRatings = (
  db: Db,
  agentId: string,
  page: { beforeId?: string | undefined; limit: number },
): Promise<RatingRow[]> =>
  ratingPage.run(db, { ...page, agentId }, { isContinued: page.beforeId !== undefined })
