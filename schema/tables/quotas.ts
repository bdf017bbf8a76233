import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import {
  ACTIVE_AGENTS_PER_WALLET,
  ACTIVE_HIRES_PER_WALLET,
  AGENTS_PER_WALLET,
  ATTESTATIONS_PER_DAY,
  CHARGES_PER_DAY,
  HIRES_PER_DAY,
  UNPAID_CHARGES,
} from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant, int64 } from './columns.ts'

/**
 * A wallet's counters of limited things, since counting rows would race. The row's lock decides about the
 * last one.
 */
export const walletQuotas = pgTable(
  'wallet_quotas',
  {
    wallet: text().$type<Wallet>().primaryKey(),
    /** Marketplace agents of any status. */
    agents: integer().notNull().default(0),
    /** Active marketplace agents. */
    activeAgents: integer('active_agents').notNull().default(0),
    /** The last day on which it recorded an attestation, and the number on that day. */
    attestationDay: date('attestation_day', { mode: 'string' }),
    attestations: integer().notNull().default(0),
    /** The last day on which it charged for its agents' work, and the number of charges on that day. */
    chargeDay: date('charge_day', { mode: 'string' }),
    charges: integer().notNull().default(0),
    /**
     * Its agents' unpaid charges, including voided ones, minus all paid charges. It is negative for most paid
     * owners.
     */
    unpaidCharges: integer('unpaid_charges').notNull().default(0),
    /**
     * The last day on which it hired, the number of hires on that day, its active hires. Triggers on hires
     * count.
     */
    hireDay: date('hire_day', { mode: 'string' }),
    hires: integer().notNull().default(0),
    activeHires: integer('active_hires').notNull().default(0),
    /**
     * The unused allowance of calls beyond its address's limits, from its protocol fees, in billionths of
     * FEE_STEP (count_call).
     */
    paidRoom: int64('paid_room').notNull().default(sql`0`),
    /** Webhook endpoints, without the webhooks of agents. */
    webhookEndpoints: integer('endpoints').notNull().default(0),
    /** When it last asked for a test event. */
    testedAt: instant('tested_at'),
  },
  (t) => [
    check('wallet_quotas_agents', sql`${t.activeAgents} >= 0 and ${t.agents} >= 0`),
    check('wallet_quotas_endpoints', sql`${t.webhookEndpoints} >= 0`),
    check('wallet_quotas_agents_limit', sql`${t.agents} <= ${sql.raw(String(AGENTS_PER_WALLET))}`),
    check(
      'wallet_quotas_active_agents_limit',
      sql`${t.activeAgents} <= ${sql.raw(String(ACTIVE_AGENTS_PER_WALLET))}`,
    ),
    // A constraint, so that an insert beyond the limit is undone together with its count.
    check('wallet_quotas_attestations', sql`${t.attestations} <= ${sql.raw(String(ATTESTATIONS_PER_DAY))}`),
    check('wallet_quotas_charges', sql`${t.charges} <= ${sql.raw(String(CHARGES_PER_DAY))}`),
    check('wallet_quotas_hires', sql`${t.hires} <= ${sql.raw(String(HIRES_PER_DAY))}`),
    check(
      'wallet_quotas_active_hires',
      sql`${t.activeHires} between 0 and ${sql.raw(String(ACTIVE_HIRES_PER_WALLET))}`,
    ),
    check('wallet_quotas_unpaid_charges', sql`${t.unpaidCharges} <= ${sql.raw(String(UNPAID_CHARGES))}`),
  ],
)

/**
 * A client address's use of a limit in the hour or day that ends at `endsAt`. The limits are: names in the
 * signed registry, transactions built without tokens, new agents, hires, status changes, attestations,
 * charges, webhook endpoints, expedited requests. Only a hash of the address and the limit is stored. The
 * jobs Worker deletes a row an hour after its end.
 */
export const addressQuotas = pgTable(
  'address_quotas',
  {
    addressHash: text('address_hash').primaryKey(),
    endsAt: instant('ends_at').notNull(),
    used: integer().notNull(),
  },
  (t) => [index('address_quotas_by_end').on(t.endsAt)],
)
