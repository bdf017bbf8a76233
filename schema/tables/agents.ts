import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
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
import type { Cred } from '../amounts.ts'
import { agentStatuses, agentTypes, apiProtocols, disabledReasons, feeModels } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant, int64, spans } from './columns.ts'

type Columns<Name extends string> = Record<Name, SQLWrapper>

/**
 * What an agent is sorted by, highest first: each is the second column of an index, and double precision.
 *
 * `rating` is the weighted average, as if one more payer of full weight had given 3 stars. So a rating by a
 * payer of little weight, which is cheap to fake, moves an agent little. `price` is the negative price of a
 * unit. Percentages can't be compared with it, so they come after all prices of a unit, the lowest first.
 */
export const sortKeys = {
  rating: ({ ratingSum, ratedWeight }: Columns<'ratingSum' | 'ratedWeight'>): SQL =>
    sql`((${ratingSum} + 3000000000)::double precision / (${ratedWeight} + 1000000000))`,
  hires: ({ totalHires }: Columns<'totalHires'>): SQL => sql`(${totalHires}::double precision)`,
  price: ({ feeModel, feeAmount }: Columns<'feeModel' | 'feeAmount'>): SQL =>
    sql`(case ${feeModel} when 'percentage' then -1e16::double precision * (1 + ${feeAmount}) else -${feeAmount}::double precision end)`,
}

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
    /** The protocol of apiEndpoint, as declared by its owner. An endpoint without it is not probed. */
    apiProtocol: text('api_protocol', { enum: apiProtocols }),
    webhookUrl: text('webhook_url'),
    /**
     * When its owner last set it, also to the same address. A 410 to an earlier attempt is ignored.
     */
    webhookSetAt: instant('webhook_set_at'),
    /** The time since which nothing is sent there. Setting webhookUrl again ends this. */
    webhookDisabledAt: instant('webhook_disabled_at'),
    /** The reason, set and cleared with the time. */
    webhookDisabledReason: text('webhook_disabled_reason', { enum: disabledReasons }),
    logoUrl: text('logo_url'),
    /** 0 to 100, from the next three: `agent_score` of schema/functions has the formula. */
    reputationScore: doublePrecision('reputation_score').notNull().default(0),
    /** The number of other wallets whose hire ran its first term: its rows of agent_hirers. */
    hirers: integer().notNull().default(0),
    /** Sums of its payers' weights, in billionths: of all payers, and of payers who are not dissatisfied. */
    payersWeight: int64('payers_weight').notNull().default(sql`0`),
    satisfiedWeight: int64('satisfied_weight').notNull().default(sql`0`),
    /** Payers with a rating: their number, the sum of their weights, and the sum of weight times rating. */
    ratings: integer().notNull().default(0),
    ratedWeight: int64('rated_weight').notNull().default(sql`0`),
    ratingSum: int64('rating_sum').notNull().default(sql`0`),
    totalHires: integer('total_hires').notNull().default(0),
    status: text({ enum: agentStatuses }).notNull(),
    /** Why an operator suspended the agent. */
    statusReason: text('status_reason'),
    /**
     * The times when it was not active: a hire whose term ends within one ends with it. The last one is open
     * while it is not active. Earlier ones are removed once all terms that ended by then are recorded.
     */
    pauses: spans().notNull().default('{}'),
    /** The last day (UTC) on which its owner changed its status, and the number of changes on that day. */
    statusDay: date('status_day', { mode: 'string' }),
    statusChanges: smallint('status_changes').notNull().default(0),
    registeredAt: instant('registered_at').notNull(),
    /**
     * Whether it is listed by word and layer. If not, it has no text, and no listing except under
     * EVERY_LAYER. Triggers write both (migrations/0000_init.sql).
     */
    isListed: boolean('is_listed').notNull().default(true),
    /**
     * When a job run checks whether it is idle (`unlist_idle_agents`). This is 30 days after it was
     * registered, hired or paid, or after a login that a job run has seen. Null if release 1.0.0 saw a
     * payment.
     */
    listedUntil: instant('listed_until'),
    /** The number of its present prices of requests, and the lowest one in CRED (`set_request_prices`). */
    requestPrices: smallint('request_prices').notNull().default(0),
    lowestRequestPrice: int64('lowest_request_price').$type<Cred>(),
  },
  (t) => [
    // Lists read agent_listings.
    index('agents_by_owner').on(t.pubkey, t.status),
    index('agents_to_unlist').on(t.listedUntil).where(sql`${t.isListed}`),
    // Finds whether any agent with an endpoint was used lately. A URL may be longer than an index entry.
    index('agents_by_endpoint')
      .on(sql`md5(${t.apiEndpoint})`, t.apiProtocol, t.listedUntil)
      .where(sql`${t.status} = 'active' and ${t.apiProtocol} is not null`),
    index('agents_by_rating').on(t.status, sortKeys.rating(t), t.id),
    index('agents_by_hires').on(t.status, sortKeys.hires(t), t.id),
    index('agents_by_price').on(t.status, sortKeys.price(t), t.id),
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
  ],
)
