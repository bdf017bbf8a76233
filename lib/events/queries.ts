import { and, asc, desc, eq, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { events } from '../../schema/tables/events.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { nameOfAgent } from '../agents/parts/part-queries.ts'
import { type Item, runItem } from '../db/batch.ts'
import { hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { optional, read } from '../db/statement.ts'

/**
 * An event as it was recorded; `data` is the JSON text that Postgres stored. `agentName` is the name of the
 * agent of `data.agentId`.
 */
export type EventRow = {
  id: string
  type: string
  timestamp: string
  data: string
  agentName: string | null
}

/** A time as it is on the wire: RFC 3339 in UTC with milliseconds. */
const wireTime = (time: SQLWrapper): SQL =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of {@link EventRow} over `events`. */
const eventColumns = {
  id: events.id,
  type: events.type,
  timestamp: sql<string>`${wireTime(events.occurredAt)}`.as('timestamp'),
  data: sql<string>`${events.data}::text`.as('data'),
}

type Limit = number | Placeholder<string, number>

const eventPage = read(
  { wallet: events.wallet, after: optional(events.id), limit: 'integer' },
  (db, $, shape: { isContinued: boolean; isNewestFirst?: boolean }) => {
    const inOrder = shape.isNewestFirst ? desc : asc
    const last = db.$with('last').as(
      db
        .select({ xid: events.xid, seq: events.seq })
        .from(events)
        .where(and(eq(events.id, $.after), sql`${$.wallet} in (${events.wallet}, ${events.counterparty})`)),
    )
    const isAfter = sql`(${events.xid}, ${events.seq}) > ((select ${last.xid} from ${last}), (select ${last.seq} from ${last}))`
    // Two index scans stop at the limit; an OR would sort all events of the wallet. One statement, so that
    // both scans use the same snapshot of ended transactions.
    const side = (isConcerned: SQL, isWanted: SQL | undefined, limit: Limit) =>
      db
        .select({ ...eventColumns, xid: events.xid, seq: events.seq })
        .from(events)
        .where(
          and(
            isConcerned,
            sql`${events.xid} < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint`,
            isWanted,
          ),
        )
        .orderBy(inOrder(events.xid), inOrder(events.seq))
        .limit(limit)
    const bothSides = (isWanted: SQL | undefined, limit: Limit) =>
      side(eq(events.wallet, $.wallet), isWanted, limit).unionAll(
        side(eq(events.counterparty, $.wallet), isWanted, limit),
      )
    const page = db.$with('page').as(bothSides(shape.isContinued ? isAfter : undefined, $.limit))
    const first = bothSides(sql`not ${hasRows(last)}`, 1).as('first')
    const oldest = db.select({ id: first.id }).from(first).orderBy(asc(first.xid), asc(first.seq)).limit(1)
    const { id, type, timestamp, data } = page
    return db
      .with(last, page)
      .select({
        isKnown: hasRows(last),
        oldest: shape.isContinued ? sql<string | null>`(${oldest})` : sql<null>`null`,
        event: {
          id,
          type,
          timestamp,
          data,
          agentName: nameOfAgent(sql`(${data}::json ->> 'agentId')::uuid`) as SQL<string | null>,
        },
      })
      .from(sql`(select) as once`)
      .leftJoin(page, sql`true`)
      .orderBy(inOrder(page.xid), inOrder(page.seq))
      .limit($.limit)
  },
)

/** Events of a log; `lost` if `after` was deleted or is not an event of the wallet. */
export type EventPage = { events: EventRow[]; lost?: { oldest: string | undefined } }

/**
 * Reads up to `limit` events in the wallet's log, after one of them or from the beginning. It returns only
 * events of transactions older than every running one. So no event can appear later before an event that was
 * read.
 * @returns `lost` with the log's oldest event, if any, when `after` was deleted or is not an event of the
 *   wallet
 */
export const selectEvents = (
  db: Db,
  wallet: Wallet,
  after: string | undefined,
  limit: number,
): Promise<EventPage> => runItem(db, eventsItem(wallet, after, limit))

/** Reads the newest events that {@link selectEvents} would return, newest first. */
export async function selectNewestEvents(db: Db, wallet: Wallet, limit: number): Promise<EventRow[]> {
  const shape = { isContinued: false, isNewestFirst: true }
  const rows = await eventPage.run(db, { wallet, after: undefined, limit }, shape)
  return rows.flatMap(({ event }) => event ?? [])
}

/** The same as {@link selectEvents}, as a part of a batch. */
export function eventsItem(wallet: Wallet, after: string | undefined, limit: number): Item<EventPage> {
  const isContinued = after !== undefined
  const item = eventPage.item({ wallet, after, limit }, { isContinued })
  return {
    ...item,
    resultOf(answer) {
      const rows = item.resultOf(answer)
      return isContinued && !rows[0]?.isKnown
        ? { events: [], lost: { oldest: rows[0]?.oldest ?? undefined } }
        : { events: rows.flatMap(({ event }) => event ?? []) }
    },
  }
}
