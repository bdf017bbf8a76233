import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { feeModels, hireOutcomes, hireStatuses, MAX_CHARGED } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'

/**
 * Hires of marketplace agents. `status` is the last recorded one. An active row past `expiresAt` has expired
 * or been renewed, which lib/agents/parts/hire-term.ts computes for reads and writes.
 */
export const hires = pgTable(
  'hires',
  {
    id: uuid().primaryKey(),
    wallet: text().$type<Wallet>().notNull(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    layersEnabled: smallint('layers_enabled').array().notNull(),
    /** The agent's fee at the time of the hire. A later fee applies to later hires. */
    feeModel: text('fee_model', { enum: feeModels }).notNull(),
    /** Basis points for `percentage`, lamports otherwise. */
    feeAmount: int64('fee_amount').notNull(),
    /** Lamports per period; null is no limit. */
    budgetLimit: int64('budget_limit'),
    autoRenew: boolean('auto_renew').notNull(),
    termDays: smallint('term_days').notNull(),
    status: text({ enum: hireStatuses }).notNull(),
    hiredAt: instant('hired_at').notNull(),
    /** The end of the last recorded term. */
    expiresAt: instant('expires_at').notNull(),
    /**
     * The number of renewals left without a collected charge or a login of its hirer. A renewal after one of
     * these resets it (`most_unused` of the function hire_at).
     */
    unusedRenewals: smallint('unused_renewals').notNull().default(3),
    /** When a charge of it was last collected; null if never. */
    paidAt: instant('paid_at'),
    endedAt: instant('ended_at'),
    /** Set once, by the statement that records the end of the first term; null before that. */
    outcome: text({ enum: hireOutcomes }),
    /**
     * The number of its budget account's address. It begins with 0 and rises if another account is at that
     * address (lib/payments/chain/budget-account.ts).
     */
    budgetNumber: integer('budget_number').notNull().default(0),
    /**
     * When a job run next looks for an unrecorded budget account; null if one is recorded, or no charge is
     * due from it.
     */
    seekAt: instant('seek_at'),
    /** Whether its unpaid charges were deleted, long after its end. */
    closed: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('hires_one_active').on(t.wallet, t.agentId).where(sql`${t.status} = 'active'`),
    index('hires_by_wallet').on(t.wallet, t.id),
    // Lists a wallet's hires by status, the newest first.
    index('hires_of_wallet').on(t.wallet, t.status, t.id),
    // Lists an agent's hires that are due, the oldest first.
    index('hires_by_agent').on(t.agentId, t.expiresAt).where(sql`${t.status} = 'active'`),
    // Two queues, so that unpaid hires never delay paid ones.
    index('hires_paid_by_expiry')
      .on(t.expiresAt)
      .where(sql`${t.status} = 'active' and ${t.paidAt} is not null`),
    index('hires_unpaid_by_expiry')
      .on(t.expiresAt)
      .where(sql`${t.status} = 'active' and ${t.paidAt} is null`),
    index('hires_to_close').on(t.endedAt).where(sql`${t.endedAt} is not null and not ${t.closed}`),
    index('hires_to_seek').on(t.seekAt).where(sql`${t.seekAt} is not null`),
    // Lists an agent's hires by status, the newest first.
    index('hires_of_agent').on(t.agentId, t.status, t.id),
    check('hires_fee_amount', sql`${t.feeAmount} >= 0`),
    check('hires_budget_limit', sql`${t.budgetLimit} >= 0`),
    check('hires_unused_renewals', sql`${t.unusedRenewals} between 0 and 3`),
    check('hires_term_days', sql`${t.termDays} between 1 and 365`),
  ],
)

/**
 * The charges in a period of a hire, which is one of its terms. A period has a row from its first charge on,
 * recorded or refused.
 */
export const hirePeriods = pgTable(
  'hire_periods',
  {
    hireId: uuid('hire_id')
      .notNull()
      .references(() => hires.id),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** Lamports: the sum of its charges that are not voided. */
    spent: int64('spent').notNull(),
    /** The charge that made the budget low, and the charge that used it up or did not fit. */
    lowById: uuid('low_by_id'),
    exhaustedById: uuid('exhausted_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.hireId, t.startsAt] }),
    check('hire_periods_spent', sql`${t.spent} between 0 and ${sql.raw(String(MAX_CHARGED))}`),
  ],
)

/** Wallets other than the owner whose hire of an agent ran its first term. Each counts once for its score. */
export const agentHirers = pgTable(
  'agent_hirers',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    wallet: text().$type<Wallet>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.wallet] })],
)
