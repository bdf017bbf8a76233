import { and, asc, eq, lte, or, sql } from 'drizzle-orm'
import { deliveries, events } from '../../../schema/tables/events.ts'
import { webhookHosts, webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { columnsOf, hasRows, name, names } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { type Hook, hookColumns, hooks } from '../hook-queries.ts'
import { type EventRow, eventColumns } from '../queries.ts'
import { isAwaitedAfterPause, isFailing, isOpen, isPending, isTargetOf } from '../target-queries.ts'

/*
 * Deliveries to healthy endpoints in one statement each. A healthy endpoint takes no slot in its host's
 * minute and is never held back, so that nothing about it has to be locked: its failed attempts are recorded,
 * and counted for its host, as of any other endpoint (lease_deliveries, record_attempts).
 */

/** A delivery leased for an attempt: the event, and how many attempts were made before. */
export type LeasedDelivery = EventRow & { attempts: number }

/** A leased delivery with the endpoint that it is for. */
export type HealthyDelivery = LeasedDelivery & { hook: Hook }

const leaseOfEach = statement(
  {
    endpointIds: 'uuid[]',
    lease: 'uuid',
    now: 'timestamptz',
    dueBefore: 'timestamptz',
    soon: 'timestamptz',
    leaseEnd: 'timestamptz',
    minute: 'timestamptz',
    perEndpoint: 'integer',
    perWallet: 'integer',
  },
  (db, $) => {
    const hook = hooks(db)
    const open = db.$with('open').as(
      db
        .select({
          ...hookColumns(hook, $.now),
          isHealthy: sql<boolean>`coalesce(${webhookTargets.isHealthy}, false)`.as('is_healthy'),
          isFailing: isFailing.as('is_failing'),
          heldUntil:
            sql<Date | null>`case when not ${isOpen($.dueBefore)} then ${webhookTargets.heldUntil} end`
              .mapWith(webhookTargets.heldUntil)
              .as('held_until'),
          isAwaited: sql<boolean>`case when not ${isOpen($.dueBefore)}
            then ${isAwaitedAfterPause(hook.id, { now: $.dueBefore, soon: $.soon })} end`.as('is_awaited'),
          counter: sql<string>`${hook.wallet} || ' ' || ${webhookTargets.host}`.as('counter'),
        })
        .from(hook)
        .leftJoin(webhookTargets, isTargetOf(hook))
        .where(and(sql`${hook.id} = any(${$.endpointIds})`, sql`${hook.isLive}`)),
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
    // A rank at a time, the highest first: ordered by rank, all that is due later would be read, too.
    const next = db
      .select({ eventId: sql<string>`each.${name(deliveries.eventId)}`.as('due_event_id') })
      .from(sql`(values (2), (1), (0)) as ranked (rank) cross join lateral ${ofRank} as each`)
      .limit($.perEndpoint)
      .as('next')
    const due = db
      .$with('due')
      .as(
        db
          .select({ id: open.id, eventId: next.eventId, counter: open.counter })
          .from(open)
          .crossJoinLateral(next)
          .where(sql`(${open.isHealthy} and ${open.heldUntil} is null)`),
      )
    const { host, since, attempts } = webhookHosts
    // All attempts of a wallet at a host, or none: in the order of their counters, as all batches take them.
    const counted = sql`case when ${since} >= ${$.minute} then ${attempts} else 0 end + excluded.${name(attempts)}`
    const granted = db.$with('granted', { counter: host }).as(sql`
      insert into ${webhookHosts} (${names(host, since, attempts)})
      select ${due.counter}, ${$.minute}, count(*) from ${due} group by 1 order by 1
      on conflict (${name(host)}) do update
      set ${name(since)} = greatest(${since}, ${$.minute}), ${name(attempts)} = ${counted}
      where ${counted} <= ${$.perWallet} returning ${host}`)
    const leased = db.$with('leased').as(
      db
        .update(deliveries)
        .set({ lease: $.lease, nextAttemptAt: $.leaseEnd })
        .from(due)
        .innerJoin(events, eq(events.id, due.eventId))
        .innerJoin(granted, eq(granted.counter, due.counter))
        .where(and(eq(deliveries.endpointId, due.id), eq(deliveries.eventId, due.eventId)))
        .returning({ ...eventColumns, attempts: deliveries.attempts, endpointId: deliveries.endpointId }),
    )
    const { isFailing: _, counter: __, heldUntil: ___, isAwaited: ____, ...hookOf } = columnsOf(open)
    return db
      .with(open, due, granted, leased)
      .select({
        hook: hookOf,
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
 * Leases due deliveries of the healthy ones of these endpoints (their last attempts were answered 2xx), up to
 * `perEndpoint` of each and `perWallet` of each wallet and host in a minute. Nobody else gets them until
 * `leaseEnd`.
 * @returns also the endpoints that have to wait for the next minute, the others that have due deliveries and
 *   may be sent them, and until when the targets of those are held that may not, with whether the database is
 *   woken for these then
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
    minute: Date
    perEndpoint: number
    perWallet: number
  },
): Promise<{
  leased: HealthyDelivery[]
  waiting: string[]
  held: { until: Date; isAwaited: boolean }[]
  others: { hook: Hook; isFailing: boolean }[]
}> {
  const rows = await leaseOfEach.run(db, lease)
  const unleased = rows.filter(({ delivery, heldUntil }) => !delivery && !heldUntil)
  return {
    leased: rows.flatMap(({ hook: { isHealthy, ...hook }, delivery }) =>
      delivery ? [{ ...delivery, hook }] : [],
    ),
    held: rows.flatMap(({ heldUntil, isAwaited }) => (heldUntil ? [{ until: heldUntil, isAwaited }] : [])),
    waiting: unleased.flatMap(({ hook }) => (hook.isHealthy ? [hook.id] : [])),
    others: unleased.flatMap(({ hook: { isHealthy, ...hook }, isFailing }) =>
      isHealthy ? [] : [{ hook, isFailing }],
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
    // Who is at work on one has something newer to note.
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
 * Gives leased deliveries back that were not attempted: they are due now.
 * @param slow the targets that they would have had to wait for: they are in no batch until they have answered
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
    endpointIds: unsent.map(({ hook }) => hook.id),
    eventIds: unsent.map(({ id }) => id),
    wallets: slow.map(({ wallet }) => wallet),
    urlHashes: slow.map(({ urlHash }) => urlHash),
  })
}
