import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { deliveryFailures, deliveryStatuses } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { type EventType, keptEventTypes } from '../wire/event-types/table.ts'
import { instant } from './columns.ts'

/**
 * Whether events of a type are deleted when they are old. Words, no parameters: a statement finds the partial
 * index by the same text.
 */
export const isDeletedWhenOld = (type: SQLWrapper): SQL =>
  sql`${type} not in (${sql.raw(keptEventTypes.map((kept) => `'${kept}'`).join(', '))})`

/**
 * The outbox: the events, each inserted by the statement that made the change. Rows are never changed;
 * those that are not of money are deleted a year after they were recorded.
 *
 * The log's order is (xid, seq). Ids, times and sequences are given out before a transaction commits, so by
 * them alone a reader could pass a point before which an older event appears later. Of transactions that is
 * known: every one below the oldest still running has ended.
 */
export const events = pgTable(
  'events',
  {
    id: uuid().primaryKey(),
    /** The transaction that inserted the row. */
    xid: bigint({ mode: 'bigint' }).notNull().default(sql`(pg_current_xact_id()::text)::bigint`),
    /** The order within a transaction. */
    seq: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    type: text().$type<EventType>().notNull(),
    /** When it happened, which may be before anybody recorded it: a term ends by itself. */
    occurredAt: instant('occurred_at').notNull(),
    recordedAt: instant('recorded_at').notNull(),
    /** The wallet that it is about: an agent's owner, a vault's … */
    wallet: text().$type<Wallet>().notNull(),
    /** The other side, if another wallet: who hired, who brought a pioneer. */
    counterparty: text().$type<Wallet>(),
    agentId: uuid('agent_id'),
    /** json, not jsonb: the text that was written is the text that is sent. */
    data: json().notNull(),
  },
  (t) => [
    index('events_by_wallet').on(t.wallet, t.xid, t.seq),
    index('events_by_counterparty')
      .on(t.counterparty, t.xid, t.seq)
      .where(sql`${t.counterparty} is not null`),
    index('events_by_age').on(t.recordedAt).where(isDeletedWhenOld(t.type)),
  ],
)

/**
 * What became of sending an event to a webhook endpoint. Inserted with the event, a row for each endpoint
 * that it goes to.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    /**
     * A row of `endpoints`, or the agent whose webhook it is. No foreign key: deliveries stay in the list
     * when their endpoint is deleted, and deleting one must not take longer the more it was sent.
     */
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** The endpoint's owner. */
    wallet: text().$type<Wallet>().notNull(),
    status: text({ enum: deliveryStatuses }).notNull().default('pending'),
    createdAt: instant('created_at').notNull(),
    /** Which of those that wait for an endpoint go first (delivery_rank of schema/functions): 2, 1, 0. */
    rank: smallint().notNull().default(1),
    /**
     * Attempts whose result is recorded, since the last replay: an attempt that was cut off does not count.
     */
    attempts: integer().notNull().default(0),
    /**
     * When the next attempt is due; null when there will be none. During an attempt: when it is taken to be
     * lost.
     */
    nextAttemptAt: instant('next_attempt_at'),
    /** Whose attempt is under way: only that one may say what became of it. */
    lease: uuid(),
    lastAttemptAt: instant('last_attempt_at'),
    lastResponseCode: integer('last_response_code'),
    /** Why there was no response code. */
    lastFailure: text('last_failure', { enum: deliveryFailures }),
  },
  (t) => [
    primaryKey({ columns: [t.endpointId, t.eventId] }),
    index('deliveries_due').on(t.endpointId, t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index('deliveries_by_rank').on(t.endpointId, t.rank, t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index('deliveries_failed').on(t.endpointId, t.createdAt).where(sql`${t.status} = 'failed'`),
    // What a wallet's or an endpoint's list is asked for by status, however rare it is.
    index('deliveries_by_status').on(t.wallet, t.status, t.eventId, t.endpointId),
    index('deliveries_of_endpoint').on(t.endpointId, t.status, t.eventId),
    index('deliveries_by_wallet').on(t.wallet, t.eventId, t.endpointId),
    index('deliveries_by_age').on(t.createdAt),
    // What the foreign key looks for when an event is deleted: one that was replayed a year later, say.
    index('deliveries_by_event').on(t.eventId),
    check('deliveries_next_attempt', sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
  ],
)

/**
 * How far rounds have come in their walk over the webhook endpoints with pending deliveries, by their
 * ids, and in their look at what was put in line. One row, which the migration makes.
 */
export const deliveryWalk = pgTable(
  'delivery_walk',
  {
    isOnly: boolean('is_only').primaryKey(),
    after: uuid().notNull(),
    /** Of deliveries that were put in line until then it was looked at whose are too many. */
    lookedUntil: instant('looked_until').notNull().default(sql`'1970-01-01'`),
  },
  (t) => [check('delivery_walk_is_only', sql`${t.isOnly}`)],
)

/**
 * What was sent to a webhook endpoint and when, with what answer: a row for each attempt, kept as
 * deliveries are.
 */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    /** When it was leased, shortly before it was sent. */
    attemptedAt: instant('attempted_at').notNull(),
    responseCode: integer('response_code'),
    /** Why there was no response code. */
    failure: text({ enum: deliveryFailures }),
    /** How long the answer took, or the wait for it. */
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.endpointId, t.attemptedAt, t.eventId] }),
    index('delivery_attempts_by_age').on(t.attemptedAt),
  ],
)
