import { type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { positions } from '../../schema/tables/vaults.ts'
import type { Builder } from '../db/builder.ts'
import { eventFields, wireTime } from '../events/outbox/queries.ts'
import { DAY_SECONDS } from './rules.ts'

/* The vault's events, each over a CTE of the statement that settles an intent. */

/** A CTE with at least these columns of a position. */
type PositionHandle<Name extends keyof typeof positions.$inferSelect> = WithSubquery & {
  [Column in Name]: SQLWrapper
}

/** A new position. */
export const positionOpened = (
  db: Builder,
  position: PositionHandle<'owner' | 'id' | 'address' | 'principal' | 'lockDays' | 'apyBps' | 'stakedAt'>,
) => {
  const lock = sql`make_interval(secs => ${position.lockDays} * ${sql.raw(String(DAY_SECONDS))})`
  return db
    .select(
      eventFields({
        type: 'vault.position_opened',
        occurredAt: position.stakedAt,
        wallet: position.owner,
        data: {
          owner: position.owner,
          positionId: position.id,
          address: position.address,
          amount: position.principal,
          lockDays: position.lockDays,
          apyBps: position.apyBps,
          stakedAt: wireTime(position.stakedAt),
          unlocksAt: wireTime(sql`(${position.stakedAt} + ${lock})`),
        },
      }),
    )
    .from(position)
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

/** A claim that was paid: one event for all positions that it was paid from, the rows of `paid`. */
export const yieldClaimed = (
  db: Builder,
  now: SQLWrapper,
  paid: PositionHandle<'owner' | 'id'> & { amount: SQLWrapper; intentId: SQLWrapper },
) => {
  const position = sql`json_build_object('positionId', ${paid.id}, 'amount', ${paid.amount})`
  return db
    .select(
      eventFields({
        type: 'vault.yield_claimed',
        occurredAt: now,
        wallet: paid.owner,
        data: {
          owner: paid.owner,
          transactionId: paid.intentId,
          amount: sql`sum(${paid.amount})`,
          positions: sql`json_agg(${position} order by ${paid.id})`,
        },
      }),
    )
    .from(paid)
    .groupBy(sql`${paid.owner}`, sql`${paid.intentId}`)
}
