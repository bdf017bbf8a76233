import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { agentStatuses, agentTypes, apiProtocols, disabledReasons, feeModels } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import '../words.ts'
import { instant, int64, spans } from './columns.ts'

/** Marketplace agents. `pubkey` is the owning wallet. */
export const agents = pgTable(
  'agents',
  {
    id: uuid().primaryKey(),
    pubkey: text().$type<Wallet>().notNull(),
    name: text().notNull(),
    description: text(),
    agentType: text('agent_type', { enum: agentTypes }).notNull(),
    supportedLayers: smallint('supported_layers').array().notNull(),
    feeModel: text('fee_model', { enum: feeModels }).notNull(),
    /** Basis points for `percentage`, lamports otherwise. */
    feeAmount: int64('fee_amount').notNull(),
    apiEndpoint: text('api_endpoint'),
    /** What apiEndpoint speaks, as its owner says. Of an endpoint without it nothing is asked. */
    apiProtocol: text('api_protocol', { enum: apiProtocols }),
    webhookUrl: text('webhook_url'),
    /**
     * When its owner last set it, to this or the same address: a 410 to an earlier attempt means nothing
     * any more.
     */
    webhookSetAt: instant('webhook_set_at'),
    /** Since when nothing is sent there. Setting webhookUrl anew ends that. */
    webhookDisabledAt: instant('webhook_disabled_at'),
    /** Why: set and cleared with the time. */
    webhookDisabledReason: text('webhook_disabled_reason', { enum: disabledReasons }),
    logoUrl: text('logo_url'),
    /** 0 to 100, from the next three: `agent_score` of schema/functions has the formula. */
    reputationScore: doublePrecision('reputation_score').notNull().default(0),
    /** Distinct other wallets whose hire ran its first term: its rows of agent_hirers. */
    hirers: integer().notNull().default(0),
    /** Sums over its rows of payers, in billionths of a weight: of all, and of those not dissatisfied. */
    payersWeight: int64('payers_weight').notNull().default(sql`0`),
    satisfiedWeight: int64('satisfied_weight').notNull().default(sql`0`),
    /** Of the payers that have rated: how many, the sum of their weights, and the sum of weight by rating. */
    ratings: integer().notNull().default(0),
    ratedWeight: int64('rated_weight').notNull().default(sql`0`),
    ratingSum: int64('rating_sum').notNull().default(sql`0`),
    totalHires: integer('total_hires').notNull().default(0),
    status: text({ enum: agentStatuses }).notNull(),
    /** Why an operator suspended the agent. */
    statusReason: text('status_reason'),
    /**
     * When it was not active: a hire whose term ends within ends with it. The last one is open while it is
     * not active; earlier ones are kept only while a term that ended by then is not recorded.
     */
    pauses: spans().notNull().default('{}'),
    /** The last day (UTC) on which its owner changed it, and how often on that day. */
    statusDay: date('status_day', { mode: 'string' }),
    statusChanges: smallint('status_changes').notNull().default(0),
    registeredAt: instant('registered_at').notNull(),
    /**
     * Whether it is listed by word and layer. Without, it has no text and no listing but that of EVERY_LAYER:
     * triggers keep both (migrations/0000_init.sql).
     */
    isListed: boolean('is_listed').notNull().default(true),
    /**
     * When the rounds look whether it is idle (`unlist_idle_agents`): 30 days after it was registered,
     * hired or paid, or after a login that a round has seen. Null where release 1.0.0 saw a payment.
     */
    listedUntil: instant('listed_until'),
  },
  WORDS
    ? (t) => [
        // Lists are read from agent_listings.
        index('agents_by_owner').on(t.pubkey, t.status),
        index('agents_to_unlist').on(t.listedUntil).where(sql`${t.isListed}`),
        // Whether any agent that names an endpoint was used lately. A URL may be longer than an index entry.
        index('agents_by_endpoint')
          .on(sql`md5(${t.apiEndpoint})`, t.apiProtocol, t.listedUntil)
          .where(sql`${t.status} = 'active' and ${t.apiProtocol} is not null`),
        index('agents_unlisted').on(t.pubkey, t.status).where(sql`not ${t.isListed}`),
        check('agents_fee_amount', sql`${t.feeAmount} >= 0`),
        check('agents_reputation_score', sql`${t.reputationScore} between 0 and 100`),
        check('agents_hirers', sql`${t.hirers} >= 0`),
        check('agents_payers', sql`${t.satisfiedWeight} between 0 and ${t.payersWeight}`),
        check(
          'agents_ratings',
          sql`${t.ratings} >= 0 and ${t.ratingSum} between ${t.ratedWeight} and 5 * ${t.ratedWeight}`,
        ),
        check('agents_supported_layers', sql`cardinality(${t.supportedLayers}) > 0`),
      ]
    : undefined,
)
