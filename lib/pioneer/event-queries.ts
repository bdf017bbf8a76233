import { type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { Builder } from '../db/builder.ts'
import { eventFields } from '../events/outbox/queries.ts'

/** A pioneer who joined, in its log and in the log of the one who earned a bounty by it, if any. */
export const pioneerJoined = (
  db: Builder,
  joined: WithSubquery & { wallet: SQLWrapper; tier: SQLWrapper; joinedAt: SQLWrapper },
  bounty: WithSubquery & { referrer: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type: 'pioneer.joined',
        occurredAt: joined.joinedAt,
        wallet: joined.wallet,
        counterparty: bounty.referrer,
        data: { wallet: joined.wallet, tier: joined.tier, referrer: bounty.referrer },
      }),
    )
    .from(joined)
    .leftJoin(bounty, sql`true`)
