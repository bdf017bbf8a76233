import { and, asc, eq, gt, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import { agentWebhookSecrets, webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { computed, recordset } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { sqlStateOf } from '../../db/failures.ts'
import { read, statement } from '../../db/statement.ts'

/**
 * A column with secrets: of wallets' endpoints or agents, the present or the previous secret.
 */
export type SecretLocation = { owner: 'wallet' | 'agent'; column: 'secret' | 'previousSecret' }

/** All columns with secrets. */
export const secretLocations = [
  { owner: 'wallet', column: 'secret' },
  { owner: 'wallet', column: 'previousSecret' },
  { owner: 'agent', column: 'secret' },
  { owner: 'agent', column: 'previousSecret' },
] as const satisfies SecretLocation[]

/** An endpoint's secret as it is stored: encrypted. */
export type EncryptedSecret = { id: string; encrypted: string }

const TABLES = {
  wallet: { table: webhookEndpoints, id: webhookEndpoints.id },
  agent: { table: agentWebhookSecrets, id: agentWebhookSecrets.agentId },
}

/**
 * Returns the columns that statements use. `keyName` is the name of a secret's key, in the exact text that
 * the indexes have.
 */
function columnsAt({ owner, column }: SecretLocation) {
  const { table, id } = TABLES[owner]
  const encrypted = table[column]
  return { table, id, encrypted, keyName: sql<string>`split_part(${encrypted}, ':', 1)` }
}

const encryptedPage = read(
  { keyName: 'text', after: 'uuid', limit: 'integer' },
  (db, $, { owner, column }: SecretLocation) => {
    const { table, id, encrypted, keyName } = columnsAt({ owner, column })
    return db
      .select({ id, encrypted: sql<string>`${encrypted}` })
      .from(table)
      .where(and(isNotNull(encrypted), eq(keyName, $.keyName), gt(id, $.after)))
      .orderBy(asc(id))
      .limit($.limit)
  },
)

/** Reads up to `limit` secrets that a key encrypted, ordered by endpoint id, after one of them. */
export const selectEncrypted = (
  db: Db,
  location: SecretLocation,
  page: { keyName: string; after: string; limit: number },
): Promise<EncryptedSecret[]> => encryptedPage.run(db, page, location)

const replaced = computed({ id: uuid(), encrypted: text(), reencrypted: text() })

const reencryption = statement({ secrets: 'json' }, (db, $, { owner, column }: SecretLocation) => {
  const { table, id, encrypted } = columnsAt({ owner, column })
  const record = db.$with('record', replaced).as(sql`select * from ${recordset($.secrets, replaced)}`)
  return db
    .with(record)
    .update(table)
    .set({ [column]: record.reencrypted })
    .from(record)
    .where(and(eq(id, record.id), eq(encrypted, record.encrypted)))
})

/**
 * Stores re-encrypted secrets, each unless its owner has rotated it in the meantime.
 * @returns the number of stored secrets
 */
export async function updateEncrypted(
  db: Db,
  location: SecretLocation,
  secrets: (EncryptedSecret & { reencrypted: string })[],
): Promise<number> {
  const { rowCount } = await reencryption.run(db, { secrets }, location)
  return rowCount
}

const ENDED = { previousSecret: null, previousSecretEndsAt: null }

const clearance = statement(
  { now: 'timestamptz', limit: 'integer' },
  (db, $, { owner }: Pick<SecretLocation, 'owner'>) => {
    const { table, id } = TABLES[owner]
    // Postgres checks this again once the row is locked: its owner may have rotated in the meantime.
    const hasEnded = lte(table.previousSecretEndsAt, $.now)
    const ended = db.select({ id }).from(table).where(hasEnded).limit($.limit)
    return db
      .update(table)
      .set(ENDED)
      .where(and(hasEnded, sql`${id} = any (array(${ended}))`))
  },
)

/**
 * Deletes up to `limit` previous secrets, of wallets' endpoints or of agents, that sign no longer since a
 * rotation.
 */
export async function clearEnded(
  db: Db,
  owner: SecretLocation['owner'],
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await clearance.run(db, { now, limit }, { owner })
  return rowCount
}

const staleCount = read({ keyName: 'text' }, (db, $) => {
  const under = (location: SecretLocation) => {
    const { table, encrypted, keyName } = columnsAt(location)
    return db
      .select({ encrypted: sql<string>`${encrypted}`.as('encrypted') })
      .from(table)
      .where(and(isNotNull(encrypted), or(lt(keyName, $.keyName), gt(keyName, $.keyName))))
  }
  const [wallets, walletsBefore, agents, agentsBefore] = secretLocations
  const stale = under(wallets)
    .unionAll(under(walletsBefore))
    .unionAll(under(agents))
    .unionAll(under(agentsBefore))
  return db.select({ left: sql`count(*)`.mapWith(Number) }).from(stale.as('stale'))
})

/** Counts the secrets that a key other than this one encrypted. */
export async function countOtherwiseEncrypted(db: Db, keyName: string): Promise<number> {
  const [row] = await staleCount.run(db, { keyName })
  return row?.left ?? 0
}

const samples = read({ now: 'timestamptz' }, (db, $, { owner }: Pick<SecretLocation, 'owner'>) => {
  const one = (column: SecretLocation['column']) => {
    const { table, id, encrypted, keyName } = columnsAt({ owner, column })
    return db
      .selectDistinctOn([keyName], { id: sql<string>`${id}`, encrypted: sql<string>`${encrypted}` })
      .from(table)
      .where(column === 'secret' ? undefined : gt(table.previousSecretEndsAt, $.now))
  }
  return one('secret').unionAll(one('previousSecret'))
})

/** The SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

/**
 * Reads one secret for each key that encrypted a secret in use. Only for a deployment, since it reads all
 * secrets. An upgrade checks its settings before it migrates, and 1.0.0 has no table of agents' secrets.
 */
export async function selectEncryptedSamples(db: Db, now: Date): Promise<EncryptedSecret[]> {
  const ofAgents = samples.run(db, { now }, { owner: 'agent' }).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNDEFINED_TABLE) throw error
    return []
  })
  const read = await Promise.all([samples.run(db, { now }, { owner: 'wallet' }), ofAgents])
  return read.flat()
}
