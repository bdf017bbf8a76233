import { and, asc, eq, sql } from 'drizzle-orm'
import { positions } from '../../../schema/tables/vaults.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { read } from '../../db/statement.ts'
import { logError } from '../../log.ts'
import type { PositionRow } from '../queries.ts'
import type { Observation } from './observation.ts'

/* Recording observations of open positions, beside intents' outcomes, and choosing whose turn it is. */

/**
 * Records what one read of the chain showed of open positions. Positions that are gone are closed, positions
 * that never were in escrow void, with an error line each; but none by settings of other keys than were
 * deployed.
 * Asks nothing when there are none.
 * @param read the slot that was read, and when
 */
export async function recordObservations(
  db: Db,
  observations: Observation[],
  { slot, seenAt }: { slot: bigint; seenAt: Date },
): Promise<void> {
  if (observations.length === 0) return
  const recorded = await postgres.recordObservations.rows(db, {
    addresses: observations.map(({ row }) => row.address),
    balances: observations.map(({ balance }) => balance),
    statuses: observations.map(({ status }) => status),
    authorities: observations.map(({ keys }) => keys?.authority ?? ''),
    recoveries: observations.map(({ keys }) => keys?.recovery ?? ''),
    early: observations.filter(({ isEarly }) => isEarly).map(({ row }) => row.address),
    slot,
    now: seenAt,
  })
  for (const { address, owner, status } of recorded) {
    if (status === 'void') logError({ voidPosition: address, owner })
  }
  const misjudged = new Set(
    observations.filter(({ status }) => status === 'void').map(({ row }) => row.address),
  )
  const differing = recorded.filter(({ address, status }) => status === 'open' && misjudged.has(address))
  for (const generation of new Set(differing.map((row) => row.generation))) {
    logError({ vaultKeysDiffer: generation })
  }
}

const longestUnseen = read({ generations: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.status, 'open'), sql`${positions.generation} = any(${$.generations})`))
    .orderBy(asc(positions.seenAt))
    .limit($.limit),
)

/** Open positions of these generations, the one that was looked at longest ago first. */
export const selectLongestUnseen = (db: Db, generations: number[], limit: number): Promise<PositionRow[]> =>
  longestUnseen.run(db, { generations, limit })

const suspected = read({ generations: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.early, 'seen'), sql`${positions.generation} = any(${$.generations})`))
    .orderBy(asc(positions.suspectedSlot))
    .limit($.limit),
)

/** Positions that were seen to be paid out of early, which a finalized read is to confirm, oldest first. */
export const selectSuspected = (db: Db, generations: number[], limit: number): Promise<PositionRow[]> =>
  suspected.run(db, { generations, limit })
