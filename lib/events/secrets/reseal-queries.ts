import { and, asc, eq, gt, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { computed, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'

/** Which of an endpoint's two secrets. */
export type SecretColumn = 'secret' | 'previousSecret'

/** An endpoint's secret as it is stored. */
export type SealedSecret = { id: string; sealed: string }

/** The name of the key that a secret is sealed under. The indexes have the same texts. */
const keyNameOf = {
  secret: sql<string>`split_part(${webhookEndpoints.secret}, ':', 1)`,
  previousSecret: sql<string>`split_part(${webhookEndpoints.previousSecret}, ':', 1)`,
}

const sealedPage = read(
  { keyName: 'text', after: 'uuid', limit: 'integer' },
  (db, $, { column }: { column: SecretColumn }) =>
    db
      .select({ id: webhookEndpoints.id, sealed: sql<string>`${webhookEndpoints[column]}` })
      .from(webhookEndpoints)
      .where(
        and(
          isNotNull(webhookEndpoints[column]),
          eq(keyNameOf[column], $.keyName),
          gt(webhookEndpoints.id, $.after),
        ),
      )
      .orderBy(asc(webhookEndpoints.id))
      .limit($.limit),
)

/** Reads up to `limit` secrets that are sealed under a key, by their endpoints' ids, after one of them. */
export const selectSealed = (
  db: Db,
  column: SecretColumn,
  page: { keyName: string; after: string; limit: number },
): Promise<SealedSecret[]> => sealedPage.run(db, page, { column })

const replaced = computed({ id: uuid(), sealed: text(), resealed: text() })

const resealing = statement({ secrets: 'json' }, (db, $, { column }: { column: SecretColumn }) => {
  const record = db.$with('record', replaced).as(sql`select * from ${recordset($.secrets, replaced)}`)
  return db
    .with(record)
    .update(webhookEndpoints)
    .set({ [column]: record.resealed })
    .from(record)
    .where(and(eq(webhookEndpoints.id, record.id), eq(webhookEndpoints[column], record.sealed)))
})

/**
 * Stores secrets as they were sealed anew, each unless its owner has rotated it meanwhile.
 * @returns how many
 */
export async function updateSealed(
  db: Db,
  column: SecretColumn,
  secrets: (SealedSecret & { resealed: string })[],
): Promise<number> {
  const { rowCount } = await resealing.run(db, { secrets }, { column })
  return rowCount
}

const ENDED = { previousSecret: null, previousSecretEndsAt: null }

const clearance = statement({ now: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .update(webhookEndpoints)
    .set(ENDED)
    .where(
      and(
        // Seen again once the row is locked: its owner may have rotated meanwhile.
        lte(webhookEndpoints.previousSecretEndsAt, $.now),
        sql`${webhookEndpoints.id} = any (array(${db
          .select({ id: webhookEndpoints.id })
          .from(webhookEndpoints)
          .where(lte(webhookEndpoints.previousSecretEndsAt, $.now))
          .limit($.limit)}))`,
      ),
    ),
)

/** Deletes up to `limit` secrets from before a rotation that sign no more. */
export async function clearEnded(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await clearance.run(db, { now, limit })
  return rowCount
}

const staleCount = read({ keyName: 'text' }, (db, $) => {
  const under = (column: SecretColumn) =>
    db
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(
        and(
          isNotNull(webhookEndpoints[column]),
          or(lt(keyNameOf[column], $.keyName), gt(keyNameOf[column], $.keyName)),
        ),
      )
  return db
    .select({ left: sql`count(*)`.mapWith(Number) })
    .from(under('secret').unionAll(under('previousSecret')).as('stale'))
})

/** Counts the secrets that are sealed under any other key than one. */
export async function countSealedOtherwise(db: Db, keyName: string): Promise<number> {
  const [row] = await staleCount.run(db, { keyName })
  return row?.left ?? 0
}

const samples = read({ now: 'timestamptz' }, (db, $) => {
  const one = (column: SecretColumn) =>
    db
      .selectDistinctOn([keyNameOf[column]], {
        id: webhookEndpoints.id,
        sealed: sql<string>`${webhookEndpoints[column]}`.as('sealed'),
      })
      .from(webhookEndpoints)
      .where(column === 'secret' ? undefined : gt(webhookEndpoints.previousSecretEndsAt, $.now))
  return one('secret').unionAll(one('previousSecret'))
})

/**
 * Reads one secret of each key that any of those in use is sealed under. For a deployment: it reads all.
 */
export const selectSealedSamples = (db: Db, now: Date): Promise<SealedSecret[]> => samples.run(db, { now })
