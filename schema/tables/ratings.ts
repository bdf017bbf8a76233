import { sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant } from './columns.ts'
import { hires } from './hires.ts'

/**
 * Wallets' ratings of paid work: one for each hire, and one from each payer of an agent's requests.
 */
export const ratings = pgTable(
  'ratings',
  {
    id: uuid().primaryKey(),
    /** Null for a rating of requests. */
    hireId: uuid('hire_id')
      .unique('ratings_one_for_each_hire')
      .references(() => hires.id),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The agent's owner, who may answer. */
    owner: text().$type<Wallet>().notNull(),
    wallet: text().$type<Wallet>().notNull(),
    rating: smallint().notNull(),
    comment: text(),
    createdAt: instant('created_at').notNull(),
    /** When it was revised, which is allowed once. */
    revisedAt: instant('revised_at'),
    answer: text(),
    answeredAt: instant('answered_at'),
  },
  (t) => [
    index('ratings_by_agent').on(t.agentId, t.id),
    uniqueIndex('ratings_one_of_each_payer').on(t.agentId, t.wallet).where(sql`${t.hireId} is null`),
    check('ratings_not_of_oneself', sql`${t.wallet} <> ${t.owner}`),
    check('ratings_rating', sql`${t.rating} between 1 and 5`),
  ],
)
