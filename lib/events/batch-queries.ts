import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm'
import { integer, uuid } from 'drizzle-orm/pg-core'
import { deliveries, events } from '../../schema/tables/events.ts'
import { webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { webhooks } from '../agents/webhook-queries.ts'
import { computed, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { sha256HexOf } from '../db/hash.ts'
import { statement } from '../db/statement.ts'
import { isPending } from './delivery-queries.ts'
import type { LeasedDelivery } from './lease-queries.ts'
import { eventColumns } from './queries.ts'

/*
 * Deliveries to healthy endpoints of many agents in one statement each. A healthy endpoint takes no place in
 * its host's minute and is never held back, so that nothing about it has to be locked: what it fails in is
 * recorded, and counted for its host, as of any other endpoint (lease-queries.ts).
 */

/** A leased delivery with the webhook that it is for. */
export type HealthyDelivery = LeasedDelivery & { agentId: string; wallet: Wallet; url: string }

const healthyLease = statement(
  {
    agentIds: 'uuid[]',
    lease: 'uuid',
    now: 'timestamptz',
    dueBefore: 'timestamptz',
    leaseEnd: 'timestamptz',
    perAgent: 'integer',
  },
  (db, $) => {
    const hook = webhooks(db)
    const next = db
      .select({ eventId: deliveries.eventId })
      .from(deliveries)
      .where(and(eq(deliveries.agentId, hook.agentId), isPending, lte(deliveries.nextAttemptAt, $.dueBefore)))
      .orderBy(asc(deliveries.nextAttemptAt))
      .limit($.perAgent)
      .for('update', { of: deliveries, skipLocked: true })
      .as('next')
    const due = db.$with('due').as(
      db
        .select({ eventId: next.eventId, agentId: hook.agentId, wallet: hook.wallet, url: hook.url })
        .from(hook)
        .innerJoin(
          webhookEndpoints,
          and(eq(webhookEndpoints.wallet, hook.wallet), eq(webhookEndpoints.urlHash, sha256HexOf(hook.url))),
        )
        .crossJoinLateral(next)
        .where(and(sql`${hook.agentId} = any(${$.agentIds})`, sql`${hook.live}`, webhookEndpoints.isHealthy)),
    )
    return db
      .with(due)
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
      .where(eq(deliveries.eventId, due.eventId))
      .returning({
        ...eventColumns,
        attempts: deliveries.attempts,
        agentId: due.agentId,
        wallet: due.wallet,
        url: due.url,
      })
  },
)

/**
 * Leases due deliveries of those of the agents whose endpoint has answered all that it was sent last with
 * 2xx, up to `perAgent` of each. As with leaseDue, nobody else gets them until `leaseEnd`.
 */
export const leaseHealthy = (
  db: Db,
  lease: {
    agentIds: string[]
    lease: string
    now: Date
    dueBefore: Date
    leaseEnd: Date
    perAgent: number
  },
): Promise<HealthyDelivery[]> => healthyLease.run(db, lease)

/** A delivery that an endpoint has taken, and the status code of its answer. */
type Delivered = { eventId: string; code: number }

const deliveredColumns = computed({ eventId: uuid(), code: integer() } satisfies Record<
  keyof Delivered,
  unknown
>)

const deliveredRecord = statement(
  { delivered: 'json', lease: 'uuid', now: 'timestamptz', notedBefore: 'timestamptz' },
  (db, $) => {
    const result = db
      .$with('result', deliveredColumns)
      .as(sql`select * from ${recordset($.delivered, deliveredColumns)}`)
    const recorded = db.$with('recorded').as(
      db
        .update(deliveries)
        .set({
          status: 'delivered',
          attempts: sql`${deliveries.attempts} + 1`,
          nextAttemptAt: null,
          lease: null,
          lastResponseCode: result.code,
        })
        .from(result)
        .where(and(eq(deliveries.eventId, result.eventId), eq(deliveries.lease, $.lease)))
        .returning({ agentId: deliveries.agentId }),
    )
    const hook = webhooks(db)
    // Most have nothing to note, and are not locked; who is at work on one has something newer to note.
    const toNote = db
      .select({ wallet: webhookEndpoints.wallet, urlHash: webhookEndpoints.urlHash })
      .from(webhookEndpoints)
      .innerJoin(
        hook,
        and(eq(webhookEndpoints.wallet, hook.wallet), eq(webhookEndpoints.urlHash, sha256HexOf(hook.url))),
      )
      .where(
        and(
          inArray(hook.agentId, db.select({ agentId: recorded.agentId }).from(recorded)),
          or(
            sql`${webhookEndpoints.failingSince} is not null`,
            lt(webhookEndpoints.lastAttemptAt, $.notedBefore),
          ),
        ),
      )
      .for('update', { of: webhookEndpoints, skipLocked: true })
    const noted = db
      .$with('noted')
      .as(
        db
          .update(webhookEndpoints)
          .set({ failingSince: null, lastAttemptAt: $.now })
          .where(sql`(${webhookEndpoints.wallet}, ${webhookEndpoints.urlHash}) in (${toNote})`)
          .returning({ urlHash: webhookEndpoints.urlHash }),
      )
    return db
      .with(result, recorded, noted)
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(recorded)
  },
)

/**
 * Records deliveries as taken, unless their lease has run out and another has leased them.
 * @param notedBefore when the last attempt at an endpoint was noted earlier, it is noted anew
 */
export async function recordDelivered(
  db: Db,
  taken: { lease: string; delivered: Delivered[]; now: Date; notedBefore: Date },
): Promise<void> {
  await deliveredRecord.run(db, taken)
}

const returned = statement({ eventIds: 'uuid[]', lease: 'uuid', now: 'timestamptz' }, (db, $) =>
  db
    .update(deliveries)
    .set({ lease: null, nextAttemptAt: $.now })
    .where(and(sql`${deliveries.eventId} = any(${$.eventIds})`, eq(deliveries.lease, $.lease))),
)

/** Gives leased deliveries back that were not attempted: they are due now. */
export async function giveBack(
  db: Db,
  unsent: { lease: string; eventIds: string[]; now: Date },
): Promise<void> {
  await returned.run(db, unsent)
}
