import { type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder'
import { deliveries, events } from '../../../schema/tables/events.ts'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import type { EventType } from '../../../schema/wire/event-types/table.ts'
import type { Builder } from '../../db/builder.ts'
import { name, names } from '../../db/columns.ts'

/*
 * The outbox, as parts of the statements whose changes it reports: an event is there if and only if its
 * change is. A statement makes its events in a CTE named `event`, puts them in line in one named `delivery`,
 * and selects whom to nudge: `recordEvents`, `putInLine`, `endpointsDue`.
 */

/** A JSON object of the named values. Numbers of any size stay exact: it is never parsed on the way. */
const jsonObject = (fields: Record<string, SQLWrapper>): SQL =>
  sql`json_strip_nulls(json_build_object(${sql.join(
    Object.entries(fields).flatMap(([name, value]) => [sql`${name}::text`, value]),
    sql`, `,
  )}))`

/** A time as it is on the wire: RFC 3339 in UTC with milliseconds. */
export const wireTime = (time: SQLWrapper): SQL =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * An event of each row of the select that it becomes. Its columns are named through handles of that select's
 * CTEs.
 */
type NewEvent = {
  type: EventType
  occurredAt: SQLWrapper
  /** Whose log it is in: the wallet that it is about and, if another, the other side. */
  wallet: SQLWrapper
  counterparty?: SQLWrapper
  agentId?: SQLWrapper
  /** The payload's fields, in order. One that is null is left out. */
  data: Record<string, SQLWrapper>
}

/**
 * The fields of a select that makes events, named as columns of `events`: `db.select(eventFields({ … }))`.
 */
export const eventFields = ({ type, occurredAt, wallet, counterparty, agentId, data }: NewEvent) => ({
  type: sql<EventType>`${type}::text`.as(events.type.name),
  occurredAt: sql<Date>`${occurredAt}::timestamptz`.as(events.occurredAt.name),
  wallet: sql<string>`${wallet}::text`.as(events.wallet.name),
  counterparty: sql<string | null>`${counterparty ?? sql`null`}::text`.as(events.counterparty.name),
  agentId: sql<string | null>`${agentId ?? sql`null`}::uuid`.as(events.agentId.name),
  data: sql<unknown>`${jsonObject(data)}`.as(events.data.name),
})

/** A select of {@link eventFields}. */
type EventSelect = TypedQueryBuilder<ReturnType<typeof eventFields>>

/** The CTE `event`: records what the selects say has changed; nothing if the statement changed nothing. */
export function recordEvents(
  db: Builder,
  now: SQLWrapper,
  selects: readonly [EventSelect, ...EventSelect[]],
) {
  const all = sql.join(
    selects.map((select) => sql`${select}`),
    sql` union all `,
  )
  const { id, type, occurredAt, recordedAt, wallet, counterparty, agentId, data } = events
  const recorded = { id, type, wallet, counterparty, agentId }
  return db.$with('event', recorded).as(sql`
    insert into ${events} (${names(id, type, occurredAt, recordedAt, wallet, counterparty, agentId, data)})
    select event_id(${now}), ${names(type, occurredAt)}, ${now}, ${name(wallet)},
      nullif(${name(counterparty)}, ${name(wallet)}), ${names(agentId, data)}
    from (${all}) as change order by ${name(occurredAt)}
    returning ${id}, ${type}, ${wallet}, ${counterparty}, ${agentId}`)
}

/** The CTE of {@link recordEvents}. */
type RecordedEvents = ReturnType<typeof recordEvents>

type AgentHandle = WithSubquery & { id: SQLWrapper; webhookUrl: SQLWrapper }

/**
 * The CTE `delivery`: puts recorded events in line for the endpoints of the wallets in whose log they are,
 * and for the webhook of their agent. An endpoint made while the statement waits for a lock is too late.
 * @param agent where events are about one: a CTE, not the table, which could show an older row than a change
 *   that the statement has waited for
 */
export function putInLine(db: Builder, now: SQLWrapper, event: RecordedEvents, agent?: AgentHandle) {
  const { endpointId, eventId, wallet, createdAt, nextAttemptAt } = deliveries
  const { eventTypes, agentIds } = webhookEndpoints
  // `offset 0` keeps it a look at the index for each event, whatever the planner thinks of their number.
  const ofWallets = sql`
    select listener.id, ${event.id}, listener.${name(webhookEndpoints.wallet)}, ${now}, ${now}
    from ${event} cross join lateral (
      select ${webhookEndpoints.id}, ${webhookEndpoints.wallet} from ${webhookEndpoints}
      where ${webhookEndpoints.wallet} = any (array[${event.wallet}, ${event.counterparty}])
        and (${eventTypes} = '{}' or ${event.type} = any (${eventTypes}))
        and (${agentIds} = '{}' or ${event.agentId} = any (${agentIds}))
      offset 0) as listener`
  const ofAgent = agent
    ? sql` union all
    select ${agent.id}, ${event.id}, ${event.wallet}, ${now}, ${now}
    from ${event} join ${agent} on ${agent.id} = ${event.agentId} where ${agent.webhookUrl} is not null`
    : sql``
  return db.$with('delivery', { endpointId }).as(sql`
    insert into ${deliveries} (${names(endpointId, eventId, wallet, createdAt, nextAttemptAt)})
    ${ofWallets}${ofAgent}
    returning ${endpointId}`)
}

/** The endpoints that a statement has put something in line for, to nudge for: a column of its select. */
export const endpointsDue = (delivery: ReturnType<typeof putInLine>): SQL<string[]> =>
  sql<string[]>`array(select distinct ${delivery.endpointId} from ${delivery})`
