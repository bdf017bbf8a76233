import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { chargeStatuses, MAX_CHARGED } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'
import { hirePeriods } from './hires.ts'

/** The charges of agents' owners for their agents' work. */
export const charges = pgTable(
  'charges',
  {
    /** UUIDv7: newer charges have higher ids. */
    id: uuid().primaryKey(),
    hireId: uuid('hire_id').notNull(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The wallet that is paid. An agent keeps its owner, so this is the agent's `pubkey`. */
    owner: text().$type<Wallet>().notNull(),
    /** The wallet that pays: the hire's. */
    hirer: text().$type<Wallet>().notNull(),
    /** The owner's own name for the charge. A repeated request is recognised by it. */
    reference: text().notNull(),
    /** Lamports, by the hire's fee. */
    amount: int64('amount').notNull(),
    /** The counts that the amount was computed from, as the fee model needs them. */
    units: int64('units'),
    capturedValue: int64('captured_value'),
    share: int64('share'),
    layer: smallint(),
    description: text(),
    /** What the work produced: a text, or an https link. Nothing reads what a link leads to. */
    result: text(),
    /** The period whose budget pays for it, by the beginning of the hire's term. */
    periodStart: instant('period_start').notNull(),
    /** `recorded` until it is voided or collected. Reads show more states (lib/payments/charges). */
    status: text({ enum: chargeStatuses }).notNull(),
    /** Its collection. Open while the charge is `recorded`, so that it can't be voided. */
    collectionId: uuid('collection_id'),
    createdAt: instant('created_at').notNull(),
    voidedAt: instant('voided_at'),
    collectedAt: instant('collected_at'),
    /** Its part of the protocol fee, in lamports; set when it is collected. */
    fee: int64('fee'),
  },
  (t) => [
    unique('charges_one_for_each_reference').on(t.agentId, t.reference),
    foreignKey({
      name: 'charges_period',
      columns: [t.hireId, t.periodStart],
      foreignColumns: [hirePeriods.hireId, hirePeriods.startsAt],
    }),
    // A page of a list is a range of one of these indexes for each status.
    index('charges_by_owner').on(t.owner, t.status, t.id),
    index('charges_by_hirer').on(t.hirer, t.status, t.id),
    index('charges_by_agent').on(t.agentId, t.status, t.id),
    index('charges_by_hire').on(t.hireId, t.status, t.id),
    index('charges_by_collection').on(t.collectionId).where(sql`${t.collectionId} is not null`),
    check('charges_amount', sql`${t.amount} between 1 and ${sql.raw(String(MAX_CHARGED))}`),
    check('charges_voided', sql`(${t.status} = 'voided') = (${t.voidedAt} is not null)`),
    check(
      'charges_collected',
      sql`num_nulls(${t.collectedAt}, ${t.fee}) = case when ${t.status} = 'collected' then 0 else 2 end`,
    ),
    check('charges_voided_uncollected', sql`${t.status} <> 'voided' or ${t.collectionId} is null`),
  ],
)
