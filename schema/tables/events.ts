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
import { type EventType, retainedEventTypes } from '../wire/event-types/table.ts'
import { instant } from './columns.ts'

/**
 * Returns the condition for events that are deleted when they are old. It has literals, not parameters: a
 * statement uses the partial index only if its text is the same.
 */
export const isDeletedWhenOld = (type: SQLWrapper, retained: readonly string[] = retainedEventTypes): SQL =>
  sql`${type} not in (${sql.raw(retained.map((kept) => `'${kept}'`).join(', '))})`

/** The types that release 1.0.0 retains, whose Workers use the index `events_by_age`. */
const retainedBefore = retainedEventTypes.filter((type) => !type.startsWith('job.'))

/**
 * The outbox: the events, each inserted by the statement that made the change. Rows never change. Events are
 * deleted a year after they were recorded, except events about money.
 *
 * The log's order is (xid, seq). Ids, times and sequence numbers are assigned before a transaction commits.
 * By them alone, a reader could pass a point before which an older event appears later. The transaction's
 * number prevents this: every transaction below the oldest running one has ended.
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
    /** When it happened. That may be before it was recorded: a term ends without a request. */
    occurredAt: instant('occurred_at').notNull(),
    recordedAt: instant('recorded_at').notNull(),
    /** The wallet that the event is about, such as an agent's owner. */
    wallet: text().$type<Wallet>().notNull(),
    /** The other wallet, if any: the hirer, or the wallet that invited a pioneer. */
    counterparty: text().$type<Wallet>(),
    agentId: uuid('agent_id'),
    /** json, not jsonb: the text is sent exactly as it was written. */
    data: json().notNull(),
  },
  (t) => [
    index('events_by_wallet').on(t.wallet, t.xid, t.seq),
    index('events_by_counterparty')
      .on(t.counterparty, t.xid, t.seq)
      .where(sql`${t.counterparty} is not null`),
    // Drop it, as a `contract`, once no Workers of release 1.0.0 run.
    index('events_by_age').on(t.recordedAt).where(isDeletedWhenOld(t.type, retainedBefore)),
    index('events_to_delete').on(t.recordedAt).where(isDeletedWhenOld(t.type)),
  ],
)

/**
 * The delivery of an event to a webhook endpoint. Inserted with the event, one row for each endpoint that
 * receives it.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    /**
     * A row of `endpoints`, or the agent whose webhook it is. There is no foreign key: deliveries stay in the
     * list when their endpoint is deleted, and many deliveries must not make deleting slow.
     */
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** The endpoint's owner. */
    wallet: text().$type<Wallet>().notNull(),
    status: text({ enum: deliveryStatuses }).notNull().default('pending'),
    createdAt: instant('created_at').notNull(),
    /** The priority of a waiting delivery to the endpoint: 2, 1, 0 (delivery_rank of schema/functions). */
    rank: smallint().notNull().default(1),
    /**
     * Attempts with a recorded result since the last replay. An attempt that was cut off does not count.
     */
    attempts: integer().notNull().default(0),
    /**
     * When the next attempt is due; null if there will be none. During an attempt: when the attempt counts as
     * lost.
     */
    nextAttemptAt: instant('next_attempt_at'),
    /** The lease of the running attempt. Only its holder may record the result. */
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
    // For the lists of a wallet and an endpoint by status, however rare the status is.
    index('deliveries_by_status').on(t.wallet, t.status, t.eventId, t.endpointId),
    index('deliveries_of_endpoint').on(t.endpointId, t.status, t.eventId),
    index('deliveries_by_wallet').on(t.wallet, t.eventId, t.endpointId),
    index('deliveries_by_age').on(t.createdAt),
    // For the foreign key, when an event is deleted that was replayed up to a year later.
    index('deliveries_by_event').on(t.eventId),
    check('deliveries_next_attempt', sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
  ],
)

/**
 * The progress of job runs: the last visited endpoint with pending deliveries, and the last enqueued
 * deliveries that were counted. One row, which the migration creates.
 */
export const deliveryWalk = pgTable(
  'delivery_walk',
  {
    isOnly: boolean('is_only').primaryKey(),
    after: uuid().notNull(),
    /** Deliveries enqueued before this time were counted to find the endpoints with too many of them. */
    lookedUntil: instant('looked_until').notNull().default(sql`'1970-01-01'`),
  },
  (t) => [check('delivery_walk_is_only', sql`${t.isOnly}`)],
)

/**
 * The attempts at deliveries to webhook endpoints, with their results. Stored as long as deliveries are.
 */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    /** When the attempt was leased, shortly before it was sent. */
    attemptedAt: instant('attempted_at').notNull(),
    responseCode: integer('response_code'),
    /** Why there was no response code. */
    failure: text({ enum: deliveryFailures }),
    /** How long the answer took, or how long it was waited for. */
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.endpointId, t.attemptedAt, t.eventId] }),
    index('delivery_attempts_by_age').on(t.attemptedAt),
  ],
)
