import { and, asc, eq, gte, lt, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { positions, vaultYieldDays } from '../../../schema/tables/vaults.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { read } from '../../db/statement.ts'
import { logError } from '../../runtime/log.ts'
import type { SettleDeps } from '../deps.ts'
import { confirmationAt } from '../limits.ts'
import type { PositionRow } from '../queries.ts'
import type { Observation } from './observation.ts'

/* Records observations of open positions, and chooses the next positions to read. */

/**
 * Records observations of open positions from one read of the chain. Closes positions that are gone, and
 * makes positions void that never were in escrow, with an error line each. Settings with other keys than the
 * deployed ones change nothing. Without observations it makes no call.
 * @param read the slot and the time of the read
 * @returns the number of recorded observations
 */
export async function recordObservations(
  { db, schedule }: Pick<SettleDeps, 'db' | 'schedule'>,
  observations: Observation[],
  { slot, seenAt }: { slot: bigint; seenAt: Date },
): Promise<number> {
  if (observations.length === 0) return 0
  const early = observations.filter(({ isEarly }) => isEarly).map(({ row }) => row.address)
  const recorded = await postgres.recordObservations.rows(db, {
    addresses: observations.map(({ row }) => row.address),
    balances: observations.map(({ balance }) => balance),
    statuses: observations.map(({ status }) => status),
    authorities: observations.map(({ keys }) => keys?.authority ?? ''),
    recoveries: observations.map(({ keys }) => keys?.recovery ?? ''),
    early,
    slot,
    now: seenAt,
  })
  if (early.length > 0) schedule('positions', confirmationAt(seenAt))
  for (const { address, owner, status } of recorded) {
    if (status === 'void') logError({ voidPosition: address, owner })
  }
  const misjudged = new Set(
    observations.filter(({ status }) => status === 'void').map(({ row }) => row.address),
  )
  const differing = recorded.filter(({ address, status }) => status === 'open' && misjudged.has(address))
  for (const keyVersion of new Set(differing.map((row) => row.generation))) {
    logError({ vaultKeysDiffer: keyVersion })
  }
  return recorded.length
}

const lastStack = (db: Builder, day: SQLWrapper) =>
  db
    .select({
      at: (sql`max(${vaultYieldDays.stackedAt})`.mapWith(vaultYieldDays.stackedAt) as SQL<Date | null>).as(
        'at',
      ),
    })
    .from(vaultYieldDays)
    .where(sql`${vaultYieldDays.day} >= ${day}`)

const lastStackSince = read({ day: 'date' }, (db, $) => lastStack(db, $.day))

/** Reads when the authority last signed a stack, on the UTC day `day` or later; null if it did not. */
export const selectLastStack = async (db: Db, day: string): Promise<Date | null> =>
  (await lastStackSince.run(db, { day }))[0]?.at ?? null

const newPositions = read(
  {
    keyVersions: 'smallint[]',
    since: 'timestamptz',
    days: 'date',
    seenBefore: 'timestamptz',
    longUnseen: 'timestamptz',
    limit: 'integer',
  },
  (db, $) => {
    const stackedAt = lastStack(db, $.days)
    return db
      .select()
      .from(positions)
      .where(
        and(
          eq(positions.status, 'open'),
          gte(positions.stakedAt, $.since),
          sql`${positions.keyVersion} = any(${$.keyVersions})`,
          sql`${positions.seenAt} < (${stackedAt})`,
          lte(positions.seenAt, $.seenBefore),
        ),
      )
      .orderBy(
        sql`(${positions.seenAt} > ${$.longUnseen})`,
        sql`${positions.escrowed} - ${positions.principal} desc`,
      )
      .limit($.limit)
  },
)

/**
 * Reads open positions that were staked after `since` and not read since the authority last signed a stack,
 * nor since `seenBefore`. Positions not read since `longUnseen` come first, then the largest yields.
 */
export const selectNewPositions = (
  db: Db,
  at: {
    keyVersions: number[]
    since: Date
    days: string
    seenBefore: Date
    longUnseen: Date
    limit: number
  },
): Promise<PositionRow[]> => newPositions.run(db, at)

const longestUnseen = read({ keyVersions: 'smallint[]', today: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(
      and(
        eq(positions.status, 'open'),
        lt(positions.seenAt, $.today),
        sql`${positions.keyVersion} = any(${$.keyVersions})`,
      ),
    )
    .orderBy(asc(positions.seenAt))
    .limit($.limit),
)

/** Selects open positions that were not read today, the longest unread first. */
export const selectUnseen = (
  db: Db,
  at: { keyVersions: number[]; today: Date; limit: number },
): Promise<PositionRow[]> => longestUnseen.run(db, at)

const suspected = read({ keyVersions: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.early, 'seen'), sql`${positions.keyVersion} = any(${$.keyVersions})`))
    .orderBy(asc(positions.suspectedSlot))
    .limit($.limit),
)

/** Selects positions with an early payout that a finalized read has to confirm, the oldest first. */
export const selectSuspected = (db: Db, keyVersions: number[], limit: number): Promise<PositionRow[]> =>
  suspected.run(db, { keyVersions, limit })

const suspecting = read({ keyVersions: 'smallint[]', since: 'timestamptz' }, (db, $) =>
  db
    .select({ address: positions.address })
    .from(positions)
    .where(
      and(
        eq(positions.early, 'seen'),
        gte(positions.seenAt, $.since),
        sql`${positions.keyVersion} = any(${$.keyVersions})`,
      ),
    )
    .limit(1),
)

/** Checks whether a position that was read after `since` is suspected. */
export const isSuspecting = async (db: Db, at: { keyVersions: number[]; since: Date }): Promise<boolean> =>
  (await suspecting.run(db, at)).length > 0
