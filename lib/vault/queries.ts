import { and, asc, desc, eq, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { positions, vaultIntentLegs, vaultIntents, vaults } from '../../schema/tables/vaults.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { MAX_OPEN_STACKS, SETTLE_LEASE_MS } from './limits.ts'

export type PositionRow = typeof positions.$inferSelect
export type IntentRow = typeof vaultIntents.$inferSelect
export type LegRow = typeof vaultIntentLegs.$inferSelect

/** A built transaction with what it does to each position account. */
export type Intent = IntentRow & { legs: LegRow[] }

/** What is recorded of an owner's vault. */
export type RecordedVault = {
  /** Whether the owner has ever had a position. */
  exists: boolean
  openStacks: number
  /** Those not withdrawn, by id. */
  positions: PositionRow[]
  openIntents: Intent[]
}

/**
 * Reads an owner's vault in one round trip. With `lease`, the answer also says whether this caller may ask the
 * chain about the open intents: of all callers within the lease's time one may, and only if there are any.
 */
export async function readVault(
  db: Db,
  owner: string,
  now: Date,
): Promise<RecordedVault & { lease: boolean }> {
  const leased = db
    .update(vaults)
    .set({ settledAt: now })
    .where(
      and(
        eq(vaults.owner, owner),
        sql`${vaults.settledAt} <= ${leaseEnd(now)}`,
        sql`exists (select from ${vaultIntents} where ${vaultIntents.owner} = ${owner} and ${vaultIntents.status} = 'open')`,
      ),
    )
    .returning({ owner: vaults.owner })
  const [lease, vault, open, intents] = await batch(db, [leased, ...vaultSelects(db, owner)])
  return { ...assemble(vault, open, intents), lease: lease.length > 0 }
}

/** The statements that read a vault; they can follow others in one batch. */
export const vaultSelects = (db: Db, owner: string) =>
  [
    db.select().from(vaults).where(eq(vaults.owner, owner)),
    db
      .select()
      .from(positions)
      .where(and(eq(positions.owner, owner), eq(positions.status, 'open')))
      .orderBy(asc(positions.id)),
    selectIntents(db, and(eq(vaultIntents.owner, owner), eq(vaultIntents.status, 'open'))),
  ] as const

const selectIntents = (db: Db, where: SQL | undefined, order: SQL = asc(vaultIntents.id)) =>
  db
    .select({ intent: getTableColumns(vaultIntents), leg: getTableColumns(vaultIntentLegs) })
    .from(vaultIntents)
    .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, vaultIntents.id))
    .where(where)
    .orderBy(order, asc(vaultIntentLegs.address))

type IntentJoin = { intent: IntentRow; leg: LegRow }

export function assemble(
  [vault]: (typeof vaults.$inferSelect)[],
  open: PositionRow[],
  joined: IntentJoin[],
): RecordedVault {
  return {
    exists: (vault?.nextPositionId ?? 0) > 0,
    openStacks: vault?.openStacks ?? 0,
    positions: open,
    openIntents: intentsOf(joined),
  }
}

const intentsOf = (joined: IntentJoin[]): Intent[] =>
  [...Map.groupBy(joined, ({ intent }) => intent.id).values()].flatMap((rows) => {
    const [first] = rows
    return first ? [{ ...first.intent, legs: rows.map(({ leg }) => leg) }] : []
  })

/** One intent, and the id of the position that a landed stack opened or that an unstack closes. */
export async function findIntent(
  db: Db,
  id: string,
): Promise<{ intent: Intent; positionIds: number[] } | undefined> {
  const [joined, ids] = await batch(db, [
    selectIntents(db, eq(vaultIntents.id, id)),
    db
      .select({ id: positions.id })
      .from(vaultIntentLegs)
      .innerJoin(positions, eq(positions.address, vaultIntentLegs.address))
      .where(eq(vaultIntentLegs.intentId, id))
      .orderBy(asc(positions.id)),
  ])
  const [intent] = intentsOf(joined)
  return intent && { intent, positionIds: ids.map((row) => row.id) }
}

/** Owners with open intents, those who have waited longest first. */
export async function selectOwnersWithOpenIntents(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .select({ owner: vaultIntents.owner })
    .from(vaultIntents)
    .where(eq(vaultIntents.status, 'open'))
    .groupBy(vaultIntents.owner)
    .orderBy(sql`min(${vaultIntents.createdAt})`)
    .limit(limit)
  return rows.map(({ owner }) => owner)
}

/** Stacks built since then that were given up, newest first. */
export async function selectExpiredStacks(db: Db, since: Date, limit: number): Promise<Intent[]> {
  const joined = await selectIntents(
    db,
    and(
      eq(vaultIntents.status, 'expired'),
      eq(vaultIntents.kind, 'stack'),
      gte(vaultIntents.createdAt, since),
    ),
    desc(vaultIntents.id),
  ).limit(limit)
  return intentsOf(joined)
}

/** Records positions whose accounts are gone without a withdrawal of ours. */
export async function closePositions(db: Db, owner: string, addresses: string[], now: Date): Promise<void> {
  await db
    .update(positions)
    .set({ status: 'withdrawn', withdrawnAt: now, escrowed: 0n })
    .where(
      and(eq(positions.owner, owner), inArray(positions.address, addresses), eq(positions.status, 'open')),
    )
}

/** Deletes intents that expired before then, at most `limit` of them. */
export async function deleteExpiredIntents(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with old as (
      select id from vault_intents where status = 'expired' and created_at < ${instant(before)}
      order by created_at limit ${limit} for update skip locked),
    legs as (delete from vault_intent_legs using old where intent_id = old.id returning intent_id)
    delete from vault_intents using old
    where vault_intents.id = old.id and (select count(*) from legs) >= 0`)
  return rowCount
}

/** What every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'owner' | 'generation' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/**
 * Records a built stack unless its owner has too many open ones; the row of the owner decides.
 * @returns whether it was recorded
 */
export async function insertStack(
  db: Db,
  intent: NewIntent & Pick<IntentRow, 'lockDays' | 'apyBps' | 'stakedAt'>,
  leg: { address: string; principal: bigint },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with vault as (
      insert into vaults (owner, open_stacks, settled_at) values (${intent.owner}, 1, ${leaseEnd(intent.now)})
      on conflict (owner) do update set open_stacks = vaults.open_stacks + 1
        where vaults.open_stacks < ${MAX_OPEN_STACKS}
      returning owner),
    intent as (
      ${intentInsert(intent, 'stack')}
      from vault returning id)
    insert into vault_intent_legs (intent_id, address, amount, balance_before)
    select id, ${leg.address}, ${leg.principal.toString()}::bigint, 0 from intent`)
  return rowCount > 0
}

/** One position of a claim: what it pays, and the state of the position that this was computed from. */
export type ClaimLeg = { address: string; amount: bigint; balance: bigint; claimedBefore: bigint }

/**
 * Records a built claim if each of its positions is still as it was read: open, without an open claim, and with the
 * same yield claimed. All of them or nothing: a payout settled since then makes the whole claim void.
 * @returns whether it was recorded
 */
export async function insertClaim(db: Db, intent: NewIntent, legs: ClaimLeg[]): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with due as (
      select * from unnest(
        ${textArray(legs.map(({ address }) => address))}::text[],
        ${bigintArray(legs.map(({ amount }) => amount))}::bigint[],
        ${bigintArray(legs.map(({ balance }) => balance))}::bigint[],
        ${bigintArray(legs.map(({ claimedBefore }) => claimedBefore))}::bigint[]
      ) as due (address, amount, balance, claimed_before)),
    locked as (
      select positions.address from positions, due
      where positions.owner = ${intent.owner} and positions.address = due.address and positions.status = 'open'
        and positions.open_claim is null and positions.claimed = due.claimed_before
      order by positions.address for update of positions),
    held as (
      update positions set open_claim = ${intent.id}::uuid from due
      where positions.address = due.address and (select count(*) from locked) = (select count(*) from due)
      returning positions.address),
    intent as (
      ${intentInsert(intent, 'claim')}
      where (select count(*) from held) > 0 returning id)
    insert into vault_intent_legs (intent_id, address, amount, balance_before)
    select intent.id, due.address, due.amount, due.balance from intent, due`)
  return rowCount > 0
}

/**
 * Records a built unstack if its position is still open. Any number may be open at once: only one can land.
 * @returns whether it was recorded
 */
export async function insertUnstack(
  db: Db,
  intent: NewIntent,
  leg: { address: string; balance: bigint },
): Promise<boolean> {
  const balance = sql`${leg.balance.toString()}::bigint`
  const { rowCount } = await db.execute(sql`
    with held as (
      select address from positions
      where owner = ${intent.owner} and address = ${leg.address} and status = 'open' for update),
    intent as (
      ${intentInsert(intent, 'unstack')}
      from held returning id)
    insert into vault_intent_legs (intent_id, address, amount, balance_before)
    select id, ${leg.address}, ${balance}, ${balance} from intent`)
  return rowCount > 0
}

type Terms = Partial<Pick<IntentRow, 'lockDays' | 'apyBps' | 'stakedAt'>>

/** `insert into vault_intents … select …`, to be followed by where its one row comes from. */
const intentInsert = (intent: NewIntent & Terms, kind: IntentRow['kind']): SQL => sql`
  insert into vault_intents (id, owner, kind, generation, transaction, message, last_valid_block_height, built_slot,
    created_at, lock_days, apy_bps, staked_at)
  select ${intent.id}::uuid, ${intent.owner}, ${kind}, ${intent.generation}::smallint, ${intent.transaction},
    ${intent.message}, ${intent.lastValidBlockHeight.toString()}::bigint,
    ${intent.builtSlot.toString()}::bigint, ${instant(intent.now)},
    ${intent.lockDays ?? null}::smallint, ${intent.apyBps ?? null}::smallint,
    ${intent.stakedAt?.toISOString() ?? null}::timestamptz`

/** A lease taken at or before this is over at `now`. */
const leaseEnd = (now: Date): SQL => instant(new Date(now.getTime() - SETTLE_LEASE_MS))

const instant = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`
const textArray = (values: string[]): SQL => sql`${`{${values.join(',')}}`}`
const bigintArray = (values: bigint[]): SQL => sql`${`{${values.join(',')}}`}`
