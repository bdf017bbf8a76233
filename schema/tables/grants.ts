import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { type GrantablePermission, grantablePermissions, grantKinds } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant, int64 } from './columns.ts'

const list = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))

/**
 * Consents of wallets to clients that act for them. It holds no token and no hash of one. A grant is active
 * until it ends, expires, or is unused for 30 days (the function is_active_grant).
 */
export const grants = pgTable(
  'grants',
  {
    /** Of the kind `app`: the id (`jti`) of the authorization code. */
    id: uuid().primaryKey(),
    wallet: text().$type<Wallet>().notNull(),
    /** The wallet's session epoch at the consent. A revocation of its sessions ends the grant. */
    sessionGeneration: integer('session_generation').notNull(),
    kind: text({ enum: grantKinds }).notNull(),
    /**
     * The client: the URL of its document, or a hash of its registered `client_id`. For the other kinds
     * `token`, or `key:` with the key.
     */
    client: text().notNull(),
    /** The client's name for itself, or the wallet's name for a token or a key. */
    name: text().notNull(),
    /** The host that gets the answer; null for a program on the wallet's computer. */
    host: text(),
    permissions: text().$type<GrantablePermission>().array().notNull(),
    /** The most that its hires may cost in all, in lamports; null is no limit. */
    spendLimit: int64('spend_limit'),
    /** With a limit: the sum of the budgets of its hires. The end of a hire does not lower it. */
    committed: int64('committed').notNull().default(sql`0`),
    /** The number of the current refresh token; the one of the code is 0. */
    sequence: integer().notNull().default(0),
    /** When the current refresh token was issued. */
    rotatedAt: instant('rotated_at').notNull(),
    /** Of the kind `key`: the Ed25519 key, Base58. */
    publicKey: text('public_key'),
    createdAt: instant('created_at').notNull(),
    /** When it last got an access token; for a key within the hour. */
    lastUsedAt: instant('last_used_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    // For the list of a wallet, and to end its least recently used grant.
    index('grants_by_wallet').on(t.wallet, t.lastUsedAt).where(sql`${t.endedAt} is null`),
    // For the deletion of rows that ended or expired, and of unused rows.
    index('grants_ended').on(sql`least(${t.endedAt}, ${t.expiresAt})`),
    index('grants_by_use').on(t.lastUsedAt),
    check('grants_kind', sql`${t.kind} in (${list(grantKinds)})`),
    check('grants_client', sql`octet_length(${t.client}) between 1 and 2048`),
    check('grants_name', sql`char_length(${t.name}) between 1 and 60`),
    check('grants_host', sql`octet_length(${t.host}) between 1 and 255`),
    check('grants_permissions', sql`${t.permissions} <@ array[${list(grantablePermissions)}]`),
    check('grants_spend_limit', sql`${t.committed} between 0 and coalesce(${t.spendLimit}, ${t.committed})`),
    check('grants_sequence', sql`${t.sequence} >= 0`),
    check('grants_public_key', sql`(${t.kind} = 'key') = (${t.publicKey} is not null)`),
  ],
)
