import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import { hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { isPending } from './delivery-queries.ts'
import { hooks } from './hook-queries.ts'
import { type LeasedDelivery, leasedColumns, leaseValues } from './leasing-queries.ts'
import { isGranted, passGate, takeSlots } from './target-queries.ts'

/** What is leased: which endpoint's deliveries, at which URL, and until when. */
export type Lease = {
  id: string
  url: string
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
  lease: string
  now: Date
  dueBefore: Date
  leaseEnd: Date
  /** A target that was never proven must wait if it was tried since. */
  triedBefore: Date
  /** A target that was not tried since counts as failing from now on only. */
  gapBefore: Date
  minute: Date
  hostLimit: number
  limit: number
}

const deliveryLease = statement(
  {
    id: 'uuid',
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
    const hook = hooks(db, $.now)
    const due = db.$with('due').as(
      db
        .select({ eventId: deliveries.eventId, wallet: deliveries.wallet })
        .from(deliveries)
        .innerJoin(hook, eq(hook.id, deliveries.endpointId))
        .where(
          and(
            eq(deliveries.endpointId, $.id),
            sql`${hook.isLive}`,
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
      .set(leaseValues($))
      .from(due)
      .innerJoin(events, eq(events.id, due.eventId))
      .where(and(eq(deliveries.endpointId, $.id), eq(deliveries.eventId, due.eventId), isGranted(gate, slot)))
      .returning({
        ...leasedColumns,
        hasSlot: sql<boolean>`${hasRows(slot)}`.as('has_slot'),
      })
  },
)

/**
 * Leases up to `limit` due deliveries of an endpoint that is live, if its target and host may be sent
 * something now. Until `leaseEnd` nobody else gets them; if by then no result was recorded, they are due
 * again. Parallel calls lease different ones.
 * @returns each with whether it has taken a place in its host's minute
 */
export const leaseDue = (db: Db, lease: Lease): Promise<(LeasedDelivery & { hasSlot: boolean })[]> =>
  deliveryLease.run(db, lease)
