import { type SQL, sql } from 'drizzle-orm'
import { events } from '../../schema/tables/events.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { wireTime } from '../outbox/queries.ts'

/** An event as it is on the wire; `data` is JSON text, as it was written. */
export type EventRow = { id: string; type: string; timestamp: string; data: string }

/** The columns of {@link EventRow} over `events`. */
export const eventColumns: SQL = sql`events.id, events.type, ${wireTime(sql`events.occurred_at`)} as timestamp,
  events.data::text as data`

/**
 * Up to `limit` events in the wallet's log after one of its events, or from the beginning: those of transactions older
 * than any that still runs, so that nothing can appear later before a place that was read.
 * @returns undefined when `after` is none of the wallet's events
 */
export async function selectEvents(
  db: Db,
  wallet: Wallet,
  after: string | undefined,
  limit: number,
): Promise<EventRow[] | undefined> {
  const isAfter =
    after === undefined ? sql`true` : sql`(xid, seq) > ((select xid from place), (select seq from place))`
  // Two index scans that stop at the limit: an OR would sort all that the wallet has. One statement, since both must
  // have the same idea of which transactions have ended.
  const side = (isConcerned: SQL) => sql`
    (select ${eventColumns}, xid, seq from ${events}
    where ${isConcerned} and xid < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint and ${isAfter}
    order by xid, seq limit ${limit})`
  const { rows } = await db.execute<EventRow & { known: boolean }>(sql`
    with place as materialized (
      select xid, seq from ${events}
      where id = ${after ?? null}::uuid and ${wallet} in (wallet, counterparty)),
    page as (${side(sql`wallet = ${wallet}`)} union all ${side(sql`counterparty = ${wallet}`)})
    select exists (select from place) as known, page.id, page.type, page.timestamp, page.data
    from (select) as once left join page on true
    order by page.xid, page.seq limit ${limit}`)
  if (after !== undefined && !rows[0]?.known) return undefined
  return rows.flatMap(({ id, type, timestamp, data }) => (id === null ? [] : [{ id, type, timestamp, data }]))
}
