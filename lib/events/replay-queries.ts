import { and, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf, name, names } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { optional, statement } from '../db/statement.ts'
import { allEndpoints } from './all-endpoint-queries.ts'
import { isDestinationOf, isUnconfirmed } from './destination-queries.ts'
import type { DeliveryRow } from './list-queries.ts'

/**
 * The result of a replay: whether the endpoint receives this event, whether it is enabled and unconfirmed,
 * and the new delivery.
 */
type Replay = {
  hasEndpoint: boolean
  isLive: boolean
  isUnconfirmed: boolean
  delivery: DeliveryRow | null
}

const eventReplay = statement(
  { id: events.id, wallet: events.wallet, endpointId: optional(deliveries.endpointId), now: 'timestamptz' },
  (db, $, shape: { isNamed: boolean }) => {
    const endpoint = allEndpoints(db)
    // An agent's webhook receives only events of that agent, other endpoints all events of their wallet's
    // log.
    const isWebhook = and(eq(endpoint.id, events.agentId), eq(events.wallet, $.wallet))
    // An event that the endpoint was sent before, such as a test, may be sent again.
    const wasInLine = sql`exists (select from ${deliveries}
      where ${eq(deliveries.endpointId, endpoint.id)} and ${eq(deliveries.eventId, $.id)})`
    const isWanted = shape.isNamed
      ? and(eq(endpoint.id, $.endpointId), or(isWebhook, sql`${endpoint.kind} = 'wallet'`, wasInLine))
      : isWebhook
    const found = db.$with('found').as(
      db
        .select({
          id: events.id,
          type: events.type,
          agentId: events.agentId,
          foundId: sql<string | null>`${endpoint.id}`.as('found_id'),
          isLive: sql<boolean>`coalesce(${endpoint.isLive}, false)`.as('is_live'),
          isUnconfirmed: sql<boolean>`coalesce(${isUnconfirmed}, false)`.as('is_unconfirmed'),
        })
        .from(events)
        .leftJoin(endpoint, and(eq(endpoint.wallet, $.wallet), isWanted))
        .leftJoin(webhookTargets, isDestinationOf(endpoint))
        .where(and(eq(events.id, $.id), sql`${$.wallet} in (${events.wallet}, ${events.counterparty})`)),
    )
    const { endpointId, eventId, wallet, status, createdAt, attempts, nextAttemptAt, lease } = deliveries
    const replayed = db.$with('replayed', getTableColumns(deliveries)).as(sql`
      insert into ${deliveries} (${names(endpointId, eventId, wallet, createdAt, nextAttemptAt)})
      select ${found.foundId}, ${found.id}, ${$.wallet}, ${$.now}, ${$.now} from ${found} where ${found.isLive} and not ${found.isUnconfirmed}
      on conflict (${names(endpointId, eventId)}) do update set ${name(status)} = 'pending', ${name(attempts)} = 0,
        ${name(lease)} = null, ${name(createdAt)} = ${$.now}, ${name(nextAttemptAt)} = ${$.now}
      returning ${deliveries}.*`)
    return db
      .with(found, replayed)
      .select({
        type: found.type,
        agentId: found.agentId,
        hasEndpoint: sql<boolean>`${found.foundId} is not null`,
        isLive: found.isLive,
        isUnconfirmed: found.isUnconfirmed,
        delivery: columnsOf(replayed),
      })
      .from(found)
      .leftJoin(replayed, sql`true`)
  },
)

/**
 * Enqueues an event for an endpoint of the wallet as if it were new, even after it was delivered or given up.
 * Without a named endpoint it goes to the webhook of the wallet's agent.
 * @returns undefined if the event is not in the wallet's log
 */
export async function replayEvent(
  db: Db,
  replay: { id: string; wallet: Wallet; endpointId?: string | undefined; now: Date },
): Promise<Replay | undefined> {
  const [found] = await eventReplay.run(db, replay, { isNamed: replay.endpointId !== undefined })
  if (!found) return undefined
  const { type, agentId, delivery, ...endpoint } = found
  return { ...endpoint, delivery: delivery && { ...delivery, type, agentId } }
}
