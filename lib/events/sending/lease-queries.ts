import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { deliveries, events } from '../../../schema/tables/events.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import { hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { sha256HexOf } from '../../db/hash.ts'
import { statement } from '../../db/statement.ts'
import { isPending } from '../delivery-queries.ts'
import { type Hook, hookColumns, hooks } from '../hook-queries.ts'
import { isOpen, isTargetOf, passGate } from '../target-queries.ts'
import { isGranted, takeShare, takeSlots } from './host-queries.ts'
import { type LeasedDelivery, leasedColumns, leaseValues } from './leasing-queries.ts'

/** What is leased: which endpoint's deliveries, at which URL, and until when. */
export type Lease = {
  id: string
  /** The URL by its SHA-256 in hexadecimal. Of an endpoint that has another one now nothing is leased. */
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
  lease: string
  now: Date
  dueBefore: Date
  leaseEnd: Date
  /** Until when a target that was never proven is held. */
  unprovenUntil: Date
  minute: Date
  /** How many attempts a host gets in the minute, and how many of them targets that were never proven. */
  perHost: number
  unprovenPerHost: number
  /** How many of them all hosts get together; those that have failed before get half of these at most. */
  unprovenInAll: number
  /** How many deliveries are leased at most. Of a target that is probed it is one. */
  limit: number
}

const deliveryLease = statement(
  {
    id: 'uuid',
    urlHash: 'text',
    host: 'text',
    lease: 'uuid',
    now: 'timestamptz',
    dueBefore: 'timestamptz',
    leaseEnd: 'timestamptz',
    unprovenUntil: 'timestamptz',
    minute: 'timestamptz',
    perHost: 'integer',
    unprovenPerHost: 'integer',
    unprovenInAll: 'integer',
    limit: 'integer',
  },
  (db, $) => {
    const hook = hooks(db, $.now)
    const { provenAt, failingSince } = webhookTargets
    const open = db.$with('open').as(
      db
        .select({
          ...hookColumns(hook),
          isProven: sql<boolean>`${provenAt} is not null`.as('is_proven'),
          isProbed: sql<boolean>`(${provenAt} is null or ${failingSince} is not null)`.as('is_probed'),
          hasFailed: sql<boolean>`${failingSince} is not null`.as('has_failed'),
        })
        .from(hook)
        .leftJoin(webhookTargets, isTargetOf(hook))
        .where(
          and(
            eq(hook.id, $.id),
            sql`${hook.isLive}`,
            sql`${sha256HexOf(hook.url)} = ${$.urlHash}`,
            isOpen($.dueBefore),
          ),
        ),
    )
    const { endpointId, eventId, wallet, nextAttemptAt } = deliveries
    const isOpenOne = sql`${endpointId} = (select ${open.id} from ${open})`
    const next = db
      .select({ eventId, wallet })
      .from(deliveries)
      .where(and(isOpenOne, isPending, lte(nextAttemptAt, $.dueBefore)))
      .orderBy(asc(nextAttemptAt))
      .limit($.limit)
      .for('update', { skipLocked: true })
    // Two limits, since the planner takes one that it can not know for many.
    const due = db.$with('due', { eventId, wallet }).as(sql`
      select * from (${next}) as next limit (select case when ${open.isProbed} then 1 else ${$.limit} end from ${open})`)
    const gate = passGate(db, { ...$, due })
    const isProven = sql`(select ${open.isProven} from ${open})`
    const perHost = sql`case when ${isProven} then ${$.perHost} else ${$.unprovenPerHost} end`
    const slot = takeSlots(db, { ...$, due, gate, limit: perHost })
    // Who has failed comes again by itself, as often as there is room: first attempts keep half of it.
    const inAll = sql`(${$.unprovenInAll} / case when (select ${open.hasFailed} from ${open}) then 2 else 1 end)`
    const share = takeShare(db, { ...$, slot, isProven, limit: inAll })
    return db
      .with(open, due, gate, slot, share)
      .update(deliveries)
      .set(leaseValues($))
      .from(due)
      .innerJoin(events, eq(events.id, due.eventId))
      .innerJoin(open, sql`true`)
      .where(
        and(eq(endpointId, open.id), eq(eventId, due.eventId), isGranted({ gate, slot, share, isProven })),
      )
      .returning({
        ...leasedColumns,
        endpointId: open.id,
        kind: open.kind,
        wallet: open.wallet,
        url: open.url,
        secrets: open.secrets,
        isProven: open.isProven,
        isProbed: open.isProbed,
        hasSlots: sql<boolean>`${hasRows(slot)}`.as('has_slots'),
      })
  },
)

/** An endpoint's deliveries, and what is known of their target. */
export type LeasedOfOne = {
  hook: Hook
  isProven: boolean
  /** Whether the target is sent one attempt to see if it answers: it was never proven, or fails. */
  isProbed: boolean
  /** Whether each has taken a place in its host's minute. */
  hasSlots: boolean
  deliveries: [LeasedDelivery, ...LeasedDelivery[]]
}

/**
 * Leases up to `limit` due deliveries of an endpoint that is live, if its target and host may be sent
 * something now. Until `leaseEnd` nobody else gets them; if by then no result was recorded, they are due
 * again. Parallel calls lease different ones, and one of a target that is probed.
 */
export async function leaseDue(db: Db, lease: Lease): Promise<LeasedOfOne | undefined> {
  const rows = await deliveryLease.run(db, lease)
  const [first, ...more] = rows.map(
    ({ endpointId: id, kind, wallet, url, secrets, isProven, isProbed, hasSlots, ...delivery }) => ({
      delivery,
      of: { hook: { id, kind, wallet, url, secrets }, isProven, isProbed, hasSlots },
    }),
  )
  return first && { ...first.of, deliveries: [first.delivery, ...more.map(({ delivery }) => delivery)] }
}
