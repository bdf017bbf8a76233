import { and, eq, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import type { LeasedDelivery } from './lease.ts'

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
    // Skips locked rows: another run is recording a newer result of that destination.
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
 * Returns leased deliveries that were not attempted: they are due now.
 * @param slow the destinations that delayed them: they share no run until they answer promptly
 */
export async function giveBack(
  db: Db,
  {
    unsent,
    slow,
    ...lease
  }: {
    lease: string
    unsent: LeasedDelivery[]
    slow: { wallet: Wallet; urlHash: string }[]
    now: Date
  },
): Promise<void> {
  await returned.run(db, {
    ...lease,
    endpointIds: unsent.map(({ endpoint }) => endpoint.id),
    eventIds: unsent.map(({ id }) => id),
    wallets: slow.map(({ wallet }) => wallet),
    urlHashes: slow.map(({ urlHash }) => urlHash),
  })
}
