import { and, asc, eq, lte, type SQLWrapper, sql } from 'drizzle-orm'
import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { deliveries, events } from '../../schema/tables/events.ts'
import type { DeliveryFailure, DeliveryStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { disableWebhook, webhooks } from '../agents/webhook-queries.ts'
import type { Builder } from '../db/builder.ts'
import { computed, hasRows, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { eventFields, recordEvents } from '../outbox/queries.ts'
import { isPending } from './delivery-queries.ts'
import { isGranted, noteResults, passGate, settleSlots, takeSlots } from './endpoint-queries.ts'
import { type EventRow, eventColumns } from './queries.ts'

/** A delivery leased for an attempt: the event, and how many attempts were made before. */
export type LeasedDelivery = EventRow & { attempts: number }

/** What is leased: which agent's deliveries, at which endpoint, and until when. */
type Lease = {
  agentId: string
  url: string
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
  lease: string
  now: Date
  dueBefore: Date
  leaseEnd: Date
  /** An endpoint that was never proven must wait if it was tried since. */
  triedBefore: Date
  /** An endpoint that was not tried since counts as failing from now on only. */
  gapBefore: Date
  minute: Date
  hostLimit: number
  limit: number
}

const deliveryLease = statement(
  {
    agentId: deliveries.agentId,
    url: 'text',
    urlHash: 'text',
    host: 'text',
    lease: 'uuid',
    now: 'timestamptz',
    dueBefore: 'timestamptz',
    leaseEnd: 'timestamptz',
    triedBefore: 'timestamptz',
    gapBefore: 'timestamptz',
    minute: 'timestamptz',
    hostLimit: 'integer',
    limit: 'integer',
  },
  (db, $) => {
    const hook = webhooks(db)
    const due = db.$with('due').as(
      db
        .select({ eventId: deliveries.eventId, wallet: deliveries.wallet })
        .from(deliveries)
        .innerJoin(hook, eq(hook.agentId, deliveries.agentId))
        .where(
          and(
            eq(deliveries.agentId, $.agentId),
            sql`${hook.live}`,
            sql`${hook.url} = ${$.url}`,
            isPending,
            lte(deliveries.nextAttemptAt, $.dueBefore),
          ),
        )
        .orderBy(asc(deliveries.nextAttemptAt))
        .limit($.limit)
        .for('update', { of: deliveries, skipLocked: true }),
    )
    const gate = passGate(db, { ...$, due })
    const slot = takeSlots(db, { ...$, due, gate, limit: $.hostLimit })
    return db
      .with(due, gate, slot)
      .update(deliveries)
      .set({
        lease: $.lease,
        nextAttemptAt: $.leaseEnd,
        lastAttemptAt: $.now,
        lastResponseCode: null,
        lastFailure: null,
      })
      .from(due)
      .innerJoin(events, eq(events.id, due.eventId))
      .where(and(eq(deliveries.eventId, due.eventId), isGranted(gate, slot)))
      .returning({
        ...eventColumns,
        attempts: deliveries.attempts,
        hasSlot: sql<boolean>`${hasRows(slot)}`.as('has_slot'),
      })
  },
)

/**
 * Leases up to `limit` due deliveries of an agent whose webhook is live, if its endpoint and host may be sent
 * something now. Until `leaseEnd` nobody else gets them; if by then no result was recorded, they are due
 * again. Parallel calls lease different ones.
 * @returns each with whether it has taken a place in its host's minute
 */
export const leaseDue = (db: Db, lease: Lease): Promise<(LeasedDelivery & { hasSlot: boolean })[]> =>
  deliveryLease.run(db, lease)

/** What became of one leased delivery's attempt. */
export type Attempted = {
  eventId: string
  status: DeliveryStatus
  /** Null unless pending. */
  nextAttemptAt: Date | null
  code: number | null
  failure: DeliveryFailure | null
}

const attemptedColumns = computed({
  eventId: uuid(),
  status: text().$type<DeliveryStatus>(),
  nextAttemptAt: timestamp({ withTimezone: true, precision: 3 }),
  code: integer(),
  failure: text().$type<DeliveryFailure>(),
} satisfies Record<keyof Attempted, unknown>)

const attemptRecord = statement(
  {
    attempts: 'json',
    agentId: deliveries.agentId,
    wallet: deliveries.wallet,
    url: 'text',
    urlHash: 'text',
    host: 'text',
    minute: 'timestamptz',
    lease: 'uuid',
    leasedAt: 'timestamptz',
    isGone: 'boolean',
    succeeded: 'integer',
    failed: 'integer',
    slotChange: 'integer',
    failingBefore: 'timestamptz',
    now: 'timestamptz',
  },
  (db, $) => {
    const result = db
      .$with('result', attemptedColumns)
      .as(sql`select * from ${recordset($.attempts, attemptedColumns)}`)
    const recorded = db.$with('recorded').as(
      db
        .update(deliveries)
        .set({
          status: result.status,
          attempts: sql`${deliveries.attempts} + 1`,
          nextAttemptAt: result.nextAttemptAt,
          lease: null,
          lastResponseCode: result.code,
          lastFailure: result.failure,
        })
        .from(result)
        .where(and(eq(deliveries.eventId, result.eventId), eq(deliveries.lease, $.lease)))
        .returning({ eventId: deliveries.eventId }),
    )
    const endpoint = noteResults(db, { ...$, recorded })
    const counted = settleSlots(db, { ...$, recorded, change: $.slotChange })
    const disabled = disableWebhook(db, $, {
      isGone: sql`(${$.isGone} and ${hasRows(recorded)})`,
      isFailing: sql`exists (select from ${endpoint} where ${endpoint.failingSince} <= ${$.failingBefore})`,
      deadline: $.failingBefore,
    })
    const event = recordEvents(db, $.now, [endpointDisabled(db, { disabled, now: $.now })])
    return db
      .with(result, recorded, endpoint, counted, disabled, event)
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(recorded)
  },
)

/** Whose attempts are recorded, under which lease. */
type AttemptedLease = Pick<Lease, 'agentId' | 'url' | 'urlHash' | 'host' | 'lease' | 'minute'> & {
  wallet: Wallet
  leasedAt: Date
}

/** What attempts at one endpoint came to. `slotChange` is what the host's minute gets back, or is charged. */
type Outcome = {
  isGone: boolean
  succeeded: number
  failed: number
  slotChange: number
  /** An endpoint that has failed since before is disabled. */
  failingBefore: Date
  now: Date
}

/**
 * Records what became of leased deliveries, unless their lease has run out and another has leased them, and
 * disables the webhook if its endpoint is gone or has failed for too long.
 */
export async function recordAttempts(
  db: Db,
  lease: AttemptedLease,
  attempts: Attempted[],
  outcome: Outcome,
): Promise<void> {
  await attemptRecord.run(db, { ...lease, ...outcome, attempts })
}

/** The event that says why nothing is sent to an endpoint any more. In the log only: it has no webhook. */
const endpointDisabled = (
  db: Builder,
  { disabled, now }: { disabled: ReturnType<typeof disableWebhook>; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type: 'endpoint.disabled',
        occurredAt: now,
        wallet: disabled.wallet,
        data: { agentId: disabled.id, url: disabled.url, reason: disabled.reason },
      }),
    )
    .from(disabled)
