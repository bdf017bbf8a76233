import { and, asc, eq, getTableColumns, isNotNull, or, type SQL } from 'drizzle-orm'
import {
  positions,
  vaultIntentLegs,
  vaultIntents,
  vaultKeyVersions,
  vaults,
} from '../../schema/tables/vaults.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { batch } from '../db/batch.ts'
import type { Builder } from '../db/builder.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { leaseItems } from './lease-queries.ts'

/* Reads recorded vaults. */

export type PositionRow = typeof positions.$inferSelect
export type IntentRow = typeof vaultIntents.$inferSelect
type LegRow = typeof vaultIntentLegs.$inferSelect

/** A built transaction, and its legs: its effect on each position account. */
export type Intent = IntentRow & { legs: LegRow[] }

/** An owner's vault as recorded. */
export type RecordedVault = {
  /** Whether the owner has ever had a position. */
  exists: boolean
  openStacks: number
  /** Positions that are not withdrawn, by id. */
  positions: PositionRow[]
  openIntents: Intent[]
  /** Key versions under which no stacks are built at present, for any owner. */
  pausedKeyVersions: number[]
}

/**
 * Reads an owner's vault, in one round trip, and takes the lease to ask the chain about its open intents. One
 * caller has the lease at a time, and only while there are open intents.
 */
export async function readVault(
  db: Db,
  owner: Wallet,
  now: Date,
): Promise<RecordedVault & { lease: boolean }> {
  const [lease, opening, ...vault] = await batch(db, [...leaseItems(owner, now), ...vaultItems(owner)])
  return { ...assemble(...vault), lease: lease.length + opening.length > 0 }
}

const vaultRow = read({ owner: vaults.owner }, (db, $) =>
  db.select().from(vaults).where(eq(vaults.owner, $.owner)),
)

const openPositions = read({ owner: positions.owner }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.owner, $.owner), eq(positions.status, 'open')))
    .orderBy(asc(positions.id)),
)

const openIntents = read({ owner: vaultIntents.owner }, (db, $) =>
  intentsWhere(db, and(eq(vaultIntents.owner, $.owner), eq(vaultIntents.status, 'open'))).orderBy(
    asc(vaultIntents.id),
    asc(vaultIntentLegs.address),
  ),
)

const pausedKeyVersions = read({}, (db) =>
  db
    .select({ keyVersion: vaultKeyVersions.keyVersion })
    .from(vaultKeyVersions)
    .where(or(isNotNull(vaultKeyVersions.pausedAt), isNotNull(vaultKeyVersions.publishedAt))),
)

/** Returns the statements that read a vault, for {@link assemble}. They can follow others in one batch. */
export const vaultItems = (owner: Wallet) =>
  [
    vaultRow.item({ owner }),
    openPositions.item({ owner }),
    openIntents.item({ owner }),
    pausedKeyVersions.item({}),
  ] as const

/** Joins intents with their legs, one row per leg. {@link intentsOf} groups the rows. */
export const intentsWhere = (db: Builder, where: SQL | undefined) =>
  db
    .select({ intent: getTableColumns(vaultIntents), leg: getTableColumns(vaultIntentLegs) })
    .from(vaultIntents)
    .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, vaultIntents.id))
    .where(where)

type IntentJoin = { intent: IntentRow; leg: LegRow }

/** Makes the recorded vault from the rows of {@link vaultItems}. */
export function assemble(
  [vault]: (typeof vaults.$inferSelect)[],
  open: PositionRow[],
  joined: IntentJoin[],
  paused: { keyVersion: number }[],
): RecordedVault {
  return {
    exists: (vault?.nextPositionId ?? 0) > 0,
    openStacks: vault?.openStacks ?? 0,
    positions: open,
    openIntents: intentsOf(joined),
    pausedKeyVersions: paused.map(({ keyVersion }) => keyVersion),
  }
}

/** Groups the rows of {@link intentsWhere} in their order: one intent with all its legs. */
export const intentsOf = (joined: IntentJoin[]): Intent[] =>
  [...Map.groupBy(joined, ({ intent }) => intent.id).values()].flatMap((rows) => {
    const [first] = rows
    return first ? [{ ...first.intent, legs: rows.map(({ leg }) => leg) }] : []
  })

const positionById = read({ owner: positions.owner, id: positions.id }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.owner, $.owner), eq(positions.id, $.id))),
)

/** Reads one position, withdrawn or not, and its owner's open intents, in one round trip. */
export async function readPosition(
  db: Db,
  owner: Wallet,
  id: number,
): Promise<{ row: PositionRow | undefined; openIntents: Intent[] }> {
  const [[row], intents] = await batch(db, [positionById.item({ owner, id }), openIntents.item({ owner })])
  return { row, openIntents: intentsOf(intents) }
}

const intentById = read({ id: vaultIntents.id }, (db, $) =>
  intentsWhere(db, eq(vaultIntents.id, $.id)).orderBy(asc(vaultIntentLegs.address)),
)

const positionsOfIntent = read({ id: vaultIntents.id }, (db, $) =>
  db
    .select({ id: positions.id })
    .from(vaultIntentLegs)
    .innerJoin(positions, eq(positions.address, vaultIntentLegs.address))
    .where(eq(vaultIntentLegs.intentId, $.id))
    .orderBy(asc(positions.id)),
)

/** A built transaction with the ids of its positions. */
export type FoundTransaction = { intent: Intent; positionIds: number[] }

/** Finds a built transaction by its id. The ids of a stack's positions are known once it has landed. */
export async function findTransaction(db: Db, id: string): Promise<FoundTransaction | undefined> {
  const [joined, ids] = await batch(db, [intentById.item({ id }), positionsOfIntent.item({ id })])
  const [intent] = intentsOf(joined)
  return intent && { intent, positionIds: ids.map((row) => row.id) }
}
