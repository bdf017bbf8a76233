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
        // A reconnection with the same token writes nothing.
        or(isNull(wallets.listensUntil), lt(wallets.listensUntil, $.until)),
      ),
    ),
)

/**
 * Records how long a wallet listens, and checks that its log has the event to go on from, in one round trip.
 * @returns like selectEvents: `lost` if the log lacks the event
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
 * Reads whether the log hides an event of the wallet, because an older transaction runs. For a new socket,
 * reads whether any transaction runs, since it may have inserted an event before the wallet listened.
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
      hasHidden: sql<boolean>`exists ${hidden(events.wallet)} or exists ${hidden(events.counterparty)}
      or (${$.isNew} and pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmax(pg_current_snapshot()))`,
    })
    .from(sql`(select) as once`)
})

/**
 * Reads a page of the wallet's log, and first whether it hides an event. A commit in between notifies the
 * wallet.
 */
export async function readLog(
  db: Db,
  wallet: Wallet,
  { after, isNew, limit }: { after: string | undefined; isNew: boolean; limit: number },
): Promise<EventPage & { hasHidden: boolean }> {
  const [[held], page] = await batch(db, [heldBack.item({ wallet, isNew }), eventsItem(wallet, after, limit)])
  return { ...page, hasHidden: held?.hasHidden ?? false }
}
