import { and, asc, eq, sql } from 'drizzle-orm'
import { positions, vaultGenerations, vaultIntents, vaultYieldDays } from '../../../schema/tables/vaults.ts'
import type { Address } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import type { VaultKeys } from '../addresses.ts'

/* Statements of operators and deployments about key versions. No Worker runs them. */

export type GenerationRow = typeof vaultGenerations.$inferSelect

const NOTHING = {
  authority: sql`null`,
  recovery: sql`null`,
  pausedAt: sql`null`,
  pauseReason: sql`null`,
  publishedAt: sql`null`,
}

const pauseSet = statement(
  { generation: vaultGenerations.generation, now: 'timestamptz', reason: 'text', isPublished: 'boolean' },
  (db, $) => {
    const publishedAt = sql`case when ${$.isPublished} then ${$.now} end`
    const values = {
      ...NOTHING,
      generation: $.generation,
      pausedAt: $.now,
      pauseReason: $.reason,
      publishedAt,
    }
    return db
      .insert(vaultGenerations)
      .select(db.select(rowFields(vaultGenerations, values)).from(sql`(select) as one_row`))
      .onConflictDoUpdate({
        target: vaultGenerations.generation,
        set: {
          pausedAt: sql`${$.now}`,
          pauseReason: sql`${$.reason}`,
          publishedAt: sql`coalesce(${vaultGenerations.publishedAt}, excluded.published_at)`,
        },
      })
  },
)

/** Stops new stacks of a key version. `isPublished`: its recovery key is about to be published. */
export async function pauseGeneration(
  db: Db,
  pause: { generation: number; now: Date; reason: string; isPublished: boolean },
): Promise<void> {
  await pauseSet.run(db, pause)
}

const resumed = statement({ generation: vaultGenerations.generation }, (db, $) =>
  db
    .update(vaultGenerations)
    .set({ pausedAt: null, pauseReason: null })
    .where(and(eq(vaultGenerations.generation, $.generation), sql`${vaultGenerations.publishedAt} is null`)),
)

/** @returns whether the key version exists and its recovery key is not public */
export async function resumeGeneration(db: Db, generation: number): Promise<boolean> {
  return (await resumed.run(db, { generation })).rowCount > 0
}

const announced = statement({ address: positions.address }, (db, $) =>
  db.update(positions).set({ early: 'announced' }).where(eq(positions.address, $.address)),
)

/** Announces a position's early payout, so that it stops nothing. @returns whether the position exists */
export async function announcePosition(db: Db, address: Address): Promise<boolean> {
  return (await announced.run(db, { address })).rowCount > 0
}

const generationRows = read({}, (db) =>
  db.select().from(vaultGenerations).orderBy(asc(vaultGenerations.generation)),
)

const heldByGeneration = read({}, (db) =>
  db
    .select({
      generation: positions.generation,
      positions: sql<string>`count(*)`,
      principal: sql<string>`sum(${positions.principal})`,
    })
    .from(positions)
    .where(eq(positions.status, 'open'))
    .groupBy(positions.generation)
    .orderBy(asc(positions.generation)),
)

const openByGeneration = read({}, (db) =>
  db
    .selectDistinct({ generation: vaultIntents.generation })
    .from(vaultIntents)
    .where(eq(vaultIntents.status, 'open')),
)

const yieldDay = read({ day: vaultYieldDays.day }, (db, $) =>
  db.select().from(vaultYieldDays).where(eq(vaultYieldDays.day, $.day)),
)

/** Reads the records of all key versions, and the yield that the stacks of a day have taken. */
export async function readGenerationState(db: Db, day: string) {
  const [rows, held, open, [taken]] = await batch(db, [
    generationRows.item({}),
    heldByGeneration.item({}),
    openByGeneration.item({}),
    yieldDay.item({ day }),
  ])
  return { rows, held, open: open.map(({ generation }) => generation), taken }
}

const deploymentRecorded = statement(
  {
    generation: vaultGenerations.generation,
    authority: 'text',
    recovery: 'text',
  },
  (db, $) =>
    db
      .insert(vaultGenerations)
      .select(db.select(rowFields(vaultGenerations, { ...NOTHING, ...$ })).from(sql`(select) as one_row`))
      .onConflictDoUpdate({
        target: vaultGenerations.generation,
        set: { authority: sql`${$.authority}`, recovery: sql`${$.recovery}` },
      }),
)

/** Records the addresses that vault and settlement were both deployed with. */
export async function recordDeployment(db: Db, generations: VaultKeys[]): Promise<void> {
  for (const keys of generations) await deploymentRecorded.run(db, keys)
}
