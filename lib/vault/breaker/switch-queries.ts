import { and, asc, eq, sql } from 'drizzle-orm'
import { positions, vaultIntents, vaultKeyVersions, vaultYieldDays } from '../../../schema/tables/vaults.ts'
import type { Address } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { VaultKeys } from '../addresses.ts'

/* Statements of operators and deployments about key versions. No Worker runs them. */

export type KeyVersionRow = typeof vaultKeyVersions.$inferSelect

const NOTHING = {
  authority: sql`null`,
  recovery: sql`null`,
  pausedAt: sql`null`,
  pauseReason: sql`null`,
  publishedAt: sql`null`,
}

const pauseSet = statement(
  { keyVersion: vaultKeyVersions.keyVersion, now: 'timestamptz', reason: 'text', isPublished: 'boolean' },
  (db, $) => {
    const publishedAt = sql`case when ${$.isPublished} then ${$.now} end`
    const values = {
      ...NOTHING,
      keyVersion: $.keyVersion,
      pausedAt: $.now,
      pauseReason: $.reason,
      publishedAt,
    }
    return db
      .insert(vaultKeyVersions)
      .select(db.select(rowFields(vaultKeyVersions, values)).from(sql`(select) as one_row`))
      .onConflictDoUpdate({
        target: vaultKeyVersions.keyVersion,
        set: {
          pausedAt: sql`${$.now}`,
          pauseReason: sql`${$.reason}`,
          publishedAt: sql`coalesce(${vaultKeyVersions.publishedAt}, excluded.published_at)`,
        },
      })
  },
)

/** Stops new stacks of a key version. `isPublished`: its recovery key is about to be published. */
export async function pauseKeyVersion(
  db: Db,
  pause: { keyVersion: number; now: Date; reason: string; isPublished: boolean },
): Promise<void> {
  await pauseSet.run(db, pause)
}

const resumed = statement({ keyVersion: vaultKeyVersions.keyVersion }, (db, $) =>
  db
    .update(vaultKeyVersions)
    .set({ pausedAt: null, pauseReason: null })
    .where(and(eq(vaultKeyVersions.keyVersion, $.keyVersion), sql`${vaultKeyVersions.publishedAt} is null`)),
)

/** @returns whether the key version exists and its recovery key is not public */
export async function resumeKeyVersion(db: Db, keyVersion: number): Promise<boolean> {
  return (await resumed.run(db, { keyVersion })).rowCount > 0
}

const announced = statement({ address: positions.address }, (db, $) =>
  db.update(positions).set({ early: 'announced' }).where(eq(positions.address, $.address)),
)

/** Announces a position's early payout, so that it stops nothing. @returns whether the position exists */
export async function announcePosition(db: Db, address: Address): Promise<boolean> {
  return (await announced.run(db, { address })).rowCount > 0
}

const keyVersionRows = read({}, (db) =>
  db.select().from(vaultKeyVersions).orderBy(asc(vaultKeyVersions.keyVersion)),
)

const heldByKeyVersion = read({}, (db) =>
  db
    .select({
      keyVersion: positions.keyVersion,
      positions: sql<string>`count(*)`,
      principal: sql<string>`sum(${positions.principal})`,
    })
    .from(positions)
    .where(eq(positions.status, 'open'))
    .groupBy(positions.keyVersion)
    .orderBy(asc(positions.keyVersion)),
)

const openByKeyVersion = read({}, (db) =>
  db
    .selectDistinct({ keyVersion: vaultIntents.keyVersion })
    .from(vaultIntents)
    .where(eq(vaultIntents.status, 'open')),
)

const yieldDay = read({ day: vaultYieldDays.day }, (db, $) =>
  db.select().from(vaultYieldDays).where(eq(vaultYieldDays.day, $.day)),
)

/** Reads the records of all key versions, and the yield that the stacks of a day have taken. */
export async function readKeyVersionState(db: Db, day: string) {
  const [rows, held, open, [taken]] = await batch(db, [
    keyVersionRows.item({}),
    heldByKeyVersion.item({}),
    openByKeyVersion.item({}),
    yieldDay.item({ day }),
  ])
  return { rows, held, open: open.map(({ keyVersion }) => keyVersion), taken }
}

const deploymentRecorded = statement(
  {
    keyVersion: vaultKeyVersions.keyVersion,
    authority: 'text',
    recovery: 'text',
  },
  (db, $) =>
    db
      .insert(vaultKeyVersions)
      .select(db.select(rowFields(vaultKeyVersions, { ...NOTHING, ...$ })).from(sql`(select) as one_row`))
      .onConflictDoUpdate({
        target: vaultKeyVersions.keyVersion,
        set: { authority: sql`${$.authority}`, recovery: sql`${$.recovery}` },
      }),
)

/** Records the addresses that vault and settlement were both deployed with. */
export async function recordDeployment(db: Db, keyVersions: VaultKeys[]): Promise<void> {
  for (const keys of keyVersions) await deploymentRecorded.run(db, keys)
}
