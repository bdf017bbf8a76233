import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import type { DeliveryState } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { EventType } from '../../schema/wire/event-types/table.ts'
import { columnsOf } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { allEndpoints } from './all-endpoint-queries.ts'

/** A delivery as its owner sees it. */
export type DeliveryRow = Pick<
  typeof deliveries.$inferSelect,
  | 'endpointId'
  | 'eventId'
  | 'attempts'
  | 'createdAt'
  | 'nextAttemptAt'
  | 'lastAttemptAt'
  | 'lastResponseCode'
  | 'lastFailure'
> & {
  type: EventType
  /** The agent that the event is about, if any. */
  agentId: string | null
  status: DeliveryState
}

/** The position of the last delivery of a page in the list's order. */
export type DeliveryCursor = { eventId: string; endpointId: string }

/** The most pending deliveries that one page reads to find those with the status held or pending. */
const STEPS = 2_000

const deliveryPage = read(
  {
    wallet: deliveries.wallet,
    endpointId: 'uuid?',
    eventId: 'uuid?',
    beforeEvent: 'uuid?',
    beforeEndpoint: 'uuid?',
    steps: 'integer',
    limit: 'integer',
  },
  (db, $, by: { endpoint: boolean; event: boolean; status: DeliveryState | 'any'; cursor: boolean }) => {
    const { wallet, endpointId, eventId, status } = deliveries
    const endpoint = allEndpoints(db)
    // `offset 0` makes Postgres search the indexes once for each delivery; otherwise it may read all
    // endpoints.
    const isLive = sql`exists (select from ${endpoint}
      where ${endpoint.id} = ${by.endpoint ? $.endpointId : endpointId} and ${endpoint.isLive} offset 0)`
    const isPaused = sql`(${status} = 'pending' and not ${isLive})`
    // An endpoint belongs to one wallet, so its first delivery shows whether the wallet may read it.
    const isOwn = sql`(select ${wallet} from ${deliveries} where ${endpointId} = ${$.endpointId} order by ${endpointId}, ${eventId} limit 1) = ${$.wallet}`
    const first = db.$with('looked_at').as(
      db
        .select({
          ...getTableColumns(deliveries),
          state: sql<DeliveryState>`case when ${isPaused} then 'held' else ${status} end`.as('state'),
        })
        .from(deliveries)
        .where(
          and(
            by.endpoint ? and(eq(endpointId, $.endpointId), isOwn) : eq(wallet, $.wallet),
            by.event ? eq(eventId, $.eventId) : undefined,
            by.status === 'any' ? undefined : eq(status, by.status === 'held' ? 'pending' : by.status),
            by.cursor
              ? sql`(${eventId}, ${endpointId}) < (${$.beforeEvent}, ${$.beforeEndpoint})`
              : undefined,
            // For one endpoint this is known before any delivery is read.
            by.endpoint && by.status === 'held' ? sql`not ${isLive}` : undefined,
            by.endpoint && by.status === 'pending' ? isLive : undefined,
          ),
        )
        .orderBy(desc(eventId), desc(endpointId))
        .limit(needsSearch(by) ? $.steps : $.limit),
    )
    // The events are joined to the finished page: an earlier join may read all events before it.
    const page = db
      .select()
      .from(first)
      .where(needsSearch(by) ? eq(first.state, by.status as DeliveryState) : undefined)
      .orderBy(desc(first.eventId), desc(first.endpointId))
      .limit($.limit)
      .as('page')
    const reached = db
      .select({
        count: sql`count(*) over ()`.mapWith(Number).as('count'),
        lastEvent: sql<string>`${first.eventId}`.as('last_event'),
        lastEndpoint: sql<string>`${first.endpointId}`.as('last_endpoint'),
      })
      .from(first)
      .orderBy(first.eventId, first.endpointId)
      .limit(1)
      .as('reached')
    const { state, ...delivery } = columnsOf(page)
    return db
      .with(first)
      .select({
        reached: columnsOf(reached),
        delivery: { ...delivery, status: state, type: events.type, agentId: events.agentId },
      })
      .from(reached)
      .leftJoin(page, sql`true`)
      .leftJoin(events, eq(events.id, page.eventId))
      .orderBy(desc(page.eventId), desc(page.endpointId))
  },
)

/**
 * Whether no index has the deliveries of a state: without a named endpoint, pending ones may be held or not.
 */
const needsSearch = ({ endpoint, status }: { endpoint: boolean; status: DeliveryState | 'any' }): boolean =>
  !endpoint && (status === 'held' || status === 'pending')

/** The filter of a list: an endpoint, an event, a state, or several of these. */
export type DeliveryFilter = {
  endpointId?: string | undefined
  eventId?: string | undefined
  status?: DeliveryState | undefined
}

/**
 * Reads up to `limit` deliveries to the wallet's endpoints, newest events first, after a cursor.
 * @returns `reached`: the last delivery that was read, if the search stopped at its limit with fewer matches
 */
export async function selectDeliveries(
  db: Db,
  wallet: Wallet,
  { endpointId, eventId, status }: DeliveryFilter,
  { after, limit }: { after?: DeliveryCursor | undefined; limit: number },
): Promise<{ deliveries: DeliveryRow[]; reached: DeliveryCursor | undefined }> {
  const shape = {
    endpoint: endpointId !== undefined,
    event: eventId !== undefined,
    cursor: after !== undefined,
  }
  const by = { ...shape, status: status ?? ('any' as const) }
  const cursor = { beforeEvent: after?.eventId, beforeEndpoint: after?.endpointId }
  const rows = await deliveryPage.run(db, { wallet, endpointId, eventId, ...cursor, steps: STEPS, limit }, by)
  const found = rows.flatMap(({ delivery }) => (delivery?.eventId ? [delivery as DeliveryRow] : []))
  const [{ reached } = { reached: undefined }] = rows
  const hasEnded = !needsSearch(by) || reached === undefined || reached.count < STEPS || found.length >= limit
  return {
    deliveries: found,
    reached: hasEnded ? undefined : { eventId: reached.lastEvent, endpointId: reached.lastEndpoint },
  }
}
