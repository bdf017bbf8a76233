import { type SQL, sql } from 'drizzle-orm'
import { happening, jsonObject, wireTime } from '../outbox/queries.ts'

/* The vault's events, each over a CTE of the statement that settles an intent. */

/** Over `opened`, a new position. */
export const positionOpened = (): SQL =>
  sql`${happening({
    type: 'vault.position_opened',
    occurredAt: sql`opened.staked_at`,
    wallet: sql`opened.owner`,
    data: jsonObject({
      owner: sql`opened.owner`,
      positionId: sql`opened.id`,
      address: sql`opened.address`,
      amount: sql`opened.principal`,
      lockDays: sql`opened.lock_days`,
      apyBps: sql`opened.apy_bps`,
      stakedAt: wireTime(sql`opened.staked_at`),
      unlocksAt: wireTime(sql`(opened.staked_at + make_interval(secs => opened.lock_days * 86400))`),
    }),
  })} from opened`

/** Over `closed`, a position that was withdrawn. */
export const positionClosed = (): SQL =>
  sql`${happening({
    type: 'vault.position_closed',
    occurredAt: sql`closed.withdrawn_at`,
    wallet: sql`closed.owner`,
    data: jsonObject({
      owner: sql`closed.owner`,
      positionId: sql`closed.id`,
      address: sql`closed.address`,
      amount: sql`closed.principal`,
    }),
  })} from closed`

/** Over `paid`, the positions that one claim was paid from: one event for all of them. */
export const yieldClaimed = (now: Date): SQL => sql`${happening({
  type: 'vault.yield_claimed',
  occurredAt: sql`${now.toISOString()}`,
  wallet: sql`claim.owner`,
  data: jsonObject({
    owner: sql`claim.owner`,
    transactionId: sql`claim.intent_id`,
    amount: sql`claim.amount`,
    positions: sql`claim.positions`,
  }),
})} from (
  select owner, intent_id, sum(amount) as amount,
    json_agg(json_build_object('positionId', id, 'amount', amount) order by id) as positions
  from paid group by owner, intent_id) as claim`
