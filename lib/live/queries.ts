import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { events } from '../../schema/tables/events.ts'
import { wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import { type EventPage, eventsItem } from '../events/queries.ts'

const listening = statement({ wallet: wallets.address, until: 'timestamptz' }, (db, $) =>
  db
    .update(wallets)
    .set({ listensUntil: $.until })
    .where(
      and(
        eq(wallets.address, $.wallet),
        // A socket that comes back with the same token writes nothing.
        or(isNull(wallets.listensUntil), lt(wallets.listensUntil, $.until)),
      ),
    ),
)

/**
 * Notes until when a wallet listens, and looks whether its log has the event that its socket is to go on
 * from: one round trip.
 * @returns as selectEvents: `lost` when it has not
 */
export async function beginListening(
  db: Db,
  wallet: Wallet,
  { until, after }: { until: Date; after: string | undefined },
): Promise<EventPage> {
  const [, page] = await batch(db, [listening.item({ wallet, until }), eventsItem(wallet, after, 1)])
  return page
}

const MIN_RUNNING = sql`(pg_snapshot_xmin(pg_current_snapshot())::text)::bigint`

/**
 * Whether events of the wallet are there that its log does not show yet, since an older transaction runs.
 * For a socket that is new, whether any transaction runs: it may have inserted an event before the wallet
 * listened.
 */
const heldBack = read({ wallet: wallets.address, isNew: 'boolean' }, (db, $) => {
  const hidden = (of: typeof events.wallet | typeof events.counterparty) =>
    db
      .select({ id: events.id })
      .from(events)
      .where(and(eq(of, $.wallet), sql`${events.xid} >= ${MIN_RUNNING}`))
      .limit(1)
  return db
    .select({
      isHeld: sql<boolean>`exists ${hidden(events.wallet)} or exists ${hidden(events.counterparty)}
      or (${$.isNew} and pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmax(pg_current_snapshot()))`,
    })
    .from(sql`(select) as once`)
})

/**
 * Reads a page of the wallet's log, and whether something is held back. That is read first: what is
 * committed in between nudges the wallet.
 */
export async function readLog(
  db: Db,
  wallet: Wallet,
  { after, isNew, limit }: { after: string | undefined; isNew: boolean; limit: number },
): Promise<EventPage & { isHeld: boolean }> {
  const [[held], page] = await batch(db, [heldBack.item({ wallet, isNew }), eventsItem(wallet, after, limit)])
  return { ...page, isHeld: held?.isHeld ?? false }
}
