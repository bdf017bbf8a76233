import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { deliveries } from '../../../schema/tables/events.ts'
import type { DeliveryFailure, DeliveryStatus, WebhookEndpointKind } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Builder } from '../../db/builder.ts'
import { type Columns, computed, hasRows, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { isPending } from '../delivery-queries.ts'
import { hooks } from '../hook-queries.ts'
import { endpointsDue, eventFields, putInLine, recordEvents } from '../outbox/queries.ts'
import { noteResults } from '../target-queries.ts'
import { disable } from './disable-queries.ts'
import { settleSlots } from './host-queries.ts'
import type { Lease } from './lease-queries.ts'
import { keepAttempts } from './leasing-queries.ts'

/** What became of one leased delivery's attempt. */
export type Attempted = {
  eventId: string
  status: DeliveryStatus
  /** Null unless pending. */
  nextAttemptAt: Date | null
  code: number | null
  failure: DeliveryFailure | null
  durationMs: number
}

const resultColumns = computed({
  eventId: uuid(),
  status: text().$type<DeliveryStatus>(),
  nextAttemptAt: timestamp({ withTimezone: true, precision: 3 }),
  code: integer(),
  failure: text().$type<DeliveryFailure>(),
  durationMs: integer(),
} satisfies Record<keyof Attempted, unknown>)

const attemptRecord = statement(
  {
    attempts: 'json',
    id: 'uuid',
    wallet: deliveries.wallet,
    url: 'text',
    urlHash: 'text',
    host: 'text',
    minute: 'timestamptz',
    lease: 'uuid',
    leasedAt: 'timestamptz',
    isGone: 'boolean',
    succeeded: 'integer',
    isPrompt: 'boolean',
    slotChange: 'integer',
    heldUntil: 'timestamptz?',
    isReleased: 'boolean',
    failingBefore: 'timestamptz',
    now: 'timestamptz',
  },
  (db, $, { kind }: { kind: WebhookEndpointKind }) => {
    const result = db
      .$with('result', resultColumns)
      .as(sql`select * from ${recordset($.attempts, resultColumns)}`)
    const recorded = db.$with('recorded').as(
      db
        .update(deliveries)
        .set({
          status: result.status,
          attempts: sql`${deliveries.attempts} + 1`,
          nextAttemptAt: result.nextAttemptAt,
          lease: null,
          lastAttemptAt: $.leasedAt,
          lastResponseCode: result.code,
          lastFailure: result.failure,
        })
        .from(result)
        .where(
          and(
            eq(deliveries.endpointId, $.id),
            eq(deliveries.eventId, result.eventId),
            eq(deliveries.lease, $.lease),
          ),
        )
        .returning({ eventId: deliveries.eventId }),
    )
    // An answer is one, whoever holds the delivery when it comes: what follows for the endpoint does not
    // depend on the lease, or a replay would spare it that.
    const { eventId, code, failure, durationMs } = result
    const attempt = keepAttempts(db, {
      rows: result,
      recorded,
      endpointId: $.id,
      eventId,
      leasedAt: $.leasedAt,
      code,
      failure,
      durationMs,
    })
    const target = noteResults(db, { ...$, attempt })
    const counted = settleSlots(db, { ...$, attempt, change: $.slotChange })
    const disabled = disable(db, kind, $, {
      isGone: sql`(${$.isGone} and ${hasRows(attempt)})`,
      isFailing: sql`exists (select from ${target} where ${target.failingSince} <= ${$.failingBefore})`,
      deadline: $.failingBefore,
    })
    const event = recordEvents(db, $.now, [endpointDisabled(db, { disabled, kind, now: $.now })])
    const delivery = putInLine(db, $.now, event)
    return db
      .with(result, recorded, attempt, target, counted, disabled, event, delivery)
      .select({ due: endpointsDue(delivery), waiting: endpointsWaiting(db, { ...$, attempt }) })
      .from(sql`(select) as once`)
  },
)

/** The target's endpoints that something is due to, if it is held no more. */
const endpointsWaiting = (
  db: Builder,
  {
    attempt,
    ...at
  }: {
    attempt: { _: { alias: string } }
    wallet: SQLWrapper
    url: SQLWrapper
    isReleased: SQLWrapper
    now: SQLWrapper
  },
): SQL<string[]> => {
  const hook = hooks(db, at.now)
  const isDue = sql`exists (select from ${deliveries} where ${eq(deliveries.endpointId, hook.id)}
    and ${isPending} and ${deliveries.nextAttemptAt} <= ${at.now})`
  const ofTarget = sql`${hook.wallet} = ${at.wallet} and ${hook.url} = ${at.url} and ${hook.isLive}`
  return sql<string[]>`array(select ${hook.id} from ${hook}
    where ${at.isReleased} and ${hasRows(attempt)} and ${ofTarget} and ${isDue})`
}

/** Whose attempts are recorded, under which lease. */
type AttemptedLease = Pick<Lease, 'id' | 'urlHash' | 'host' | 'lease' | 'minute'> & {
  kind: WebhookEndpointKind
  wallet: Wallet
  url: string
  leasedAt: Date
}

/** What attempts at one endpoint came to. `slotChange` is what the host's minute gets back, or is charged. */
type Outcome = {
  isGone: boolean
  succeeded: number
  /** Whether all were answered 2xx, and soon. */
  isPrompt: boolean
  slotChange: number
  /** Until when the target is sent nothing more; null if it may be. */
  heldUntil: Date | null
  /** Whether others have waited for this outcome, and need to wait no more. */
  isReleased: boolean
  /** An endpoint that has failed since before is disabled. */
  failingBefore: Date
  now: Date
}

/**
 * Records what attempts at an endpoint came to, and what became of their deliveries, unless the lease of
 * these was lost meanwhile. Disables the endpoint if it is gone or has failed for too long.
 * @returns the endpoints that something is due to now: an event which says so, or what has waited
 */
export async function recordAttempts(
  db: Db,
  { kind, ...lease }: AttemptedLease,
  attempts: Attempted[],
  outcome: Outcome,
): Promise<string[]> {
  const [row] = await attemptRecord.run(db, { ...lease, ...outcome, attempts }, { kind })
  return [...new Set([...(row?.due ?? []), ...(row?.waiting ?? [])])]
}

type Disabled = { id: unknown; wallet: unknown; url: unknown; reason: unknown }

/** The event that says why nothing is sent to an endpoint any more. It goes to its owner's others. */
const endpointDisabled = (
  db: Builder,
  { disabled, kind, now }: { disabled: Columns<Disabled>; kind: WebhookEndpointKind; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type: 'endpoint.disabled',
        occurredAt: now,
        wallet: disabled.wallet,
        data: {
          endpointId: disabled.id,
          agentId: kind === 'agent' ? disabled.id : sql`null`,
          url: disabled.url,
          reason: disabled.reason,
        },
      }),
    )
    .from(disabled)
