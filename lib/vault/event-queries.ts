import type { SQLWrapper, WithSubquery } from 'drizzle-orm'
import type { positions } from '../../schema/tables/vaults.ts'
import type { Builder } from '../db/builder.ts'
import { eventFields } from '../events/outbox/queries.ts'

/* The vault's events, each over a CTE of the statement that settles an intent. */

/** A CTE with at least these columns of a position. */
type PositionHandle<Name extends keyof typeof positions.$inferSelect> = WithSubquery & {
  [Column in Name]: SQLWrapper
}

/** A position that was withdrawn. */
export const positionClosed = (
  db: Builder,
  position: PositionHandle<'owner' | 'id' | 'address' | 'principal' | 'withdrawnAt'>,
) =>
  db
    .select(
      eventFields({
        type: 'vault.position_closed',
        occurredAt: position.withdrawnAt,
        wallet: position.owner,
        data: {
          owner: position.owner,
          positionId: position.id,
          address: position.address,
          amount: position.principal,
        },
      }),
    )
    .from(position)
