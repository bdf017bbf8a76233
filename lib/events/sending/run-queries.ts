import { and, asc, eq, lte, or, sql } from 'drizzle-orm'
import { deliveries, events } from '../../../schema/tables/events.ts'
import { webhookBuckets, webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { columnsOf, hasRows, name, names } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { allEndpoints, type Endpoint, endpointColumns } from '../all-endpoint-queries.ts'
import { isAwaitedAfterPause, isDestinationOf, isFailing, isOpen, isPending } from '../destination-queries.ts'
import type { TokenBucket } from '../limits.ts'
import { type EventRow, eventColumns } from '../queries.ts'

/*
 * Leases and returns deliveries to healthy endpoints, in one statement each. A healthy endpoint takes tokens
 * of its wallet's bucket only and is never paused, so no row of it needs a lock. record_attempts records its
 * failed attempts, as for any other endpoint.
 */

/** A delivery leased for an attempt: the event, and the number of earlier attempts. */
export type LeasedDelivery = EventRow & { attempts: number }

/** A leased delivery and its endpoint. */
export type HealthyDelivery = LeasedDelivery & { endpoint: Endpoint }

const leaseOfEach = statement(
  {
    endpointIds: 'uuid[]',
    lease: 'uuid',
    now: 'timestamptz',
    dueBefore: 'timestamptz',
    soon: 'timestamptz',
    leaseEnd: 'timestamptz',
    perEndpoint: 'integer',
    tokens: 'integer',
    everyMs: 'integer',
  },
  (db, $) => {
    const endpoint = allEndpoints(db)
    const open = db.$with('open').as(
      db
        .select({
          ...endpointColumns(endpoint, $.now),
          isHealthy: sql<boolean>`coalesce(${webhookTargets.isHealthy}, false)`.as('is_healthy'),
          isFailing: isFailing.as('is_failing'),
          heldUntil:
            sql<Date | null>`case when not ${isOpen($.dueBefore)} then ${webhookTargets.heldUntil} end`
              .mapWith(webhookTargets.heldUntil)
              .as('held_until'),
          isAwaited: sql<boolean>`case when not ${isOpen($.dueBefore)}
            then ${isAwaitedAfterPause(endpoint.id, { now: $.dueBefore, soon: $.soon })} end`.as(
            'is_awaited',
          ),
          bucket: sql<string>`'proven ' || ${endpoint.wallet} || ' ' || ${webhookTargets.host}`.as('bucket'),
        })
        .from(endpoint)
        .leftJoin(webhookTargets, isDestinationOf(endpoint))
        .where(and(sql`${endpoint.id} = any(${$.endpointIds})`, sql`${endpoint.isLive}`)),
    )
    const isDue = and(
      eq(deliveries.endpointId, open.id),
      isPending,
      lte(deliveries.nextAttemptAt, $.dueBefore),
    )
    const ofRank = db
      .select({ eventId: deliveries.eventId })
      .from(deliveries)
      .where(and(isDue, sql`${deliveries.rank} = ranked.rank`))
      .orderBy(asc(deliveries.nextAttemptAt))
      .limit($.perEndpoint)
      .for('update', { of: deliveries, skipLocked: true })
    // One rank at a time, the highest first: an order by rank would also read deliveries that are due later.
    const next = db
      .select({ eventId: sql<string>`each.${name(deliveries.eventId)}`.as('due_event_id') })
      .from(sql`(values (2), (1), (0)) as ranked (rank) cross join lateral ${ofRank} as each`)
      .limit($.perEndpoint)
      .as('next')
    const due = db
      .$with('due')
      .as(
        db
          .select({ id: open.id, eventId: next.eventId, bucket: open.bucket })
          .from(open)
          .crossJoinLateral(next)
          .where(sql`(${open.isHealthy} and ${open.heldUntil} is null)`),
      )
    // Takes tokens for all attempts of a wallet at a host, or for none, as take_tokens does. All runs take
    // them in the order of the buckets' names, so they can't deadlock.
    const fullAt = sql.raw('bucket.full_at')
    const every = sql`${$.everyMs} * interval '1 ms'`
    const taken = sql`excluded.full_at + greatest(${fullAt} - ${$.now}, interval '0')`
    const granted = db.$with('granted', { bucket: webhookBuckets.name }).as(sql`
      insert into ${webhookBuckets} as bucket (${names(webhookBuckets.name, webhookBuckets.fullAt)})
      select ${due.bucket}, ${$.now} + count(*) * ${every} from ${due} group by 1 order by 1
      on conflict (${name(webhookBuckets.name)}) do update set ${name(webhookBuckets.fullAt)} = ${taken}
      where ${taken} <= ${$.now} + ${$.tokens} * ${every} returning bucket.name`)
    const leased = db.$with('leased').as(
      db
        .update(deliveries)
        .set({ lease: $.lease, nextAttemptAt: $.leaseEnd })
        .from(due)
        .innerJoin(events, eq(events.id, due.eventId))
        .innerJoin(granted, eq(granted.bucket, due.bucket))
        .where(and(eq(deliveries.endpointId, due.id), eq(deliveries.eventId, due.eventId)))
        .returning({ ...eventColumns, attempts: deliveries.attempts, endpointId: deliveries.endpointId }),
    )
    const { isFailing: _, bucket: __, heldUntil: ___, isAwaited: ____, ...endpointOf } = columnsOf(open)
    return db
      .with(open, due, granted, leased)
      .select({
        endpoint: endpointOf,
        isFailing: open.isFailing,
        heldUntil: open.heldUntil,
        isAwaited: open.isAwaited,
        delivery: columnsOf(leased),
      })
      .from(open)
      .leftJoin(leased, eq(leased.endpointId, open.id))
      .where(
        or(
          sql`${open.id} in (select ${due.id} from ${due})`,
          and(
            sql`(not ${open.isHealthy} or ${open.heldUntil} is not null)`,
            sql`exists (select from ${deliveries} where ${isDue})`,
          ),
        ),
      )
  },
)

/**
 * Leases due deliveries of the healthy endpoints in a list: endpoints whose last attempts were answered 2xx.
 * It leases up to `perEndpoint` of each, within the tokens of each bucket (a wallet at a host). No other run
 * gets them until `leaseEnd`.
 * @returns leased, rate-limited (`waiting`) and backed-off (`held`) endpoints; for the last the time to retry
 *   and whether the database is woken for it; and the other endpoints with due deliveries
 */
export async function leaseOfMany(
  db: Db,
  lease: {
    endpointIds: string[]
    lease: string
    now: Date
    dueBefore: Date
    soon: Date
    leaseEnd: Date
    perEndpoint: number
    bucket: TokenBucket
  },
): Promise<{
  leased: HealthyDelivery[]
  waiting: string[]
  held: { until: Date; isAwaited: boolean }[]
  others: { endpoint: Endpoint; isFailing: boolean }[]
}> {
  const { bucket, ...rest } = lease
  const rows = await leaseOfEach.run(db, { ...rest, tokens: bucket.tokens, everyMs: bucket.everyMs })
  const unleased = rows.filter(({ delivery, heldUntil }) => !delivery && !heldUntil)
  return {
    leased: rows.flatMap(({ endpoint: { isHealthy, ...endpoint }, delivery }) =>
      delivery ? [{ ...delivery, endpoint }] : [],
    ),
    held: rows.flatMap(({ heldUntil, isAwaited }) => (heldUntil ? [{ until: heldUntil, isAwaited }] : [])),
    waiting: unleased.flatMap(({ endpoint }) => (endpoint.isHealthy ? [endpoint.id] : [])),
    others: unleased.flatMap(({ endpoint: { isHealthy, ...endpoint }, isFailing }) =>
      isHealthy ? [] : [{ endpoint, isFailing }],
    ),
  }
}

const returned = statement(
  {
    endpointIds: 'uuid[]',
    eventIds: 'uuid[]',
    wallets: 'text[]',
    urlHashes: 'text[]',
    lease: 'uuid',
    now: 'timestamptz',
  },
  (db, $) => {
    const given = db.$with('given').as(
      db
        .update(deliveries)
        .set({ lease: null, nextAttemptAt: $.now })
        .where(
          and(
            sql`(${deliveries.endpointId}, ${deliveries.eventId}) in (
              select * from unnest(${$.endpointIds}, ${$.eventIds}))`,
            eq(deliveries.lease, $.lease),
          ),
        )
        .returning({ eventId: deliveries.eventId }),
    )
    const { wallet, urlHash } = webhookTargets
    // Skips locked rows: another run is recording a newer result of that destination.
    const slow = db
      .select({ wallet, urlHash })
      .from(webhookTargets)
      .where(
        and(
          sql`(${wallet}, ${urlHash}) in (select * from unnest(${$.wallets}, ${$.urlHashes}))`,
          hasRows(given),
        ),
      )
      .for('update', { skipLocked: true })
    return db
      .with(given)
      .update(webhookTargets)
      .set({ isHealthy: false })
      .where(sql`(${wallet}, ${urlHash}) in (${slow})`)
  },
)

/**
 * Returns leased deliveries that were not attempted: they are due now.
 * @param slow the destinations that delayed them: they share no run until they answer promptly
 */
export async function giveBack(
  db: Db,
  {
    unsent,
    slow,
    ...lease
  }: {
    lease: string
    unsent: HealthyDelivery[]
    slow: { wallet: Wallet; urlHash: string }[]
    now: Date
  },
): Promise<void> {
  await returned.run(db, {
    ...lease,
    endpointIds: unsent.map(({ endpoint }) => endpoint.id),
    eventIds: unsent.map(({ id }) => id),
    wallets: slow.map(({ wallet }) => wallet),
    urlHashes: slow.map(({ urlHash }) => urlHash),
  })
}
