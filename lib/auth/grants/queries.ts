import { and, asc, desc, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { grants } from '../../../schema/tables/grants.ts'
import type { GrantablePermission } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { read, statement } from '../../db/statement.ts'
import { GRANT_UNUSED_MS, GRANTS_PER_WALLET } from './rules.ts'

/** The grant of a token or a key, which its wallet creates. */
export type NewGrant = {
  grantId: string
  kind: 'token' | 'key'
  /** `token`, or `key:` with the key. */
  client: string
  name: string
  /** Of the kind `key`: Base58. */
  publicKey?: string | undefined
  permissions: readonly GrantablePermission[]
  /** Lamports; no limit if absent. */
  spendLimit?: bigint | undefined
  /** When it ends. */
  endsAt: Date
}

/**
 * Spends a nonce and records a wallet's consent, like a login, with the grant of a token or a key. Returns
 * the wallet's session epoch with the outcome `recorded`.
 */
export const recordConsent = (
  db: Db,
  {
    grant,
    ...consent
  }: {
    nonce: string
    /** When the challenge of the nonce expires. */
    expiresAt: Date
    wallet: Wallet
    addressHash: string
    consentsPerAddress: number
    grant?: NewGrant | undefined
    now: Date
  },
) => postgres.recordConsent.call(db, { ...consent, ...grant })

/**
 * Redeems a code: records its grant, with the refresh token number 0. A code that was redeemed before ends
 * its grant.
 */
export const redeemCode = (
  db: Db,
  code: {
    /** The code's `jti`, which becomes the id of the grant. */
    id: string
    wallet: Wallet
    /** The wallet's session epoch at the consent. */
    epoch: number
    client: string
    name: string
    host?: string | undefined
    permissions: readonly GrantablePermission[]
    /** Lamports; no limit if absent. */
    spendLimit?: bigint | undefined
    expiresAt: Date
    now: Date
  },
) => postgres.redeemCode.call(db, code)

/** What the next tokens of a grant contain. The refresh token was issued at `rotatedAt`. */
type RefreshedGrant = {
  wallet: Wallet
  epoch: number
  sequence: number
  rotatedAt: Date
  permissions: GrantablePermission[]
  expiresAt: Date
}

/**
 * Advances a grant by its current refresh token. Repeats the last answer for the token before, for a minute.
 * @param token `sequence` is the number of the refresh token
 * @returns undefined if the grant is no longer active, or belongs to another client
 */
export async function refreshGrant(
  db: Db,
  token: { id: string; client: string; sequence: number; now: Date },
): Promise<RefreshedGrant | undefined> {
  const { outcome, ...refreshed } = await postgres.refreshGrant.call(db, token)
  return outcome === 'grant_ended' ? undefined : (refreshed as RefreshedGrant)
}

/**
 * Uses the key of a grant, by an assertion whose nonce was not used before.
 * @returns what the access token contains, or the reason for a refusal
 */
export async function useKey(
  db: Db,
  use: {
    id: string
    publicKey: string
    /** Names the assertion. */
    nonce: string
    /** When the assertion expires. */
    nonceExpiresAt: Date
    now: Date
  },
): Promise<Omit<RefreshedGrant, 'sequence' | 'rotatedAt'> | 'nonce_spent' | 'grant_ended'> {
  const { outcome, ...used } = await postgres.useKey.call(db, use)
  return outcome === 'issued' ? (used as RefreshedGrant) : outcome
}

/** Ends a wallet's grant. Returns false if the wallet has no grant with this id. */
export async function endGrant(db: Db, grant: { id: string; wallet: Wallet; now: Date }): Promise<boolean> {
  const { outcome } = await postgres.endGrant.call(db, grant)
  return outcome === 'ended'
}

const activeGrants = read(
  { wallet: grants.wallet, now: 'timestamptz', usedAfter: 'timestamptz', limit: 'integer' },
  (db, $) =>
    db
      .select({
        id: grants.id,
        kind: grants.kind,
        name: grants.name,
        host: grants.host,
        key: grants.publicKey,
        permissions: grants.permissions,
        spendLimit: grants.spendLimit,
        committed: grants.committed,
        createdAt: grants.createdAt,
        lastUsedAt: grants.lastUsedAt,
        expiresAt: grants.expiresAt,
      })
      .from(grants)
      .where(
        and(
          // `>=` and `<=` mean `=`, by which the planner would ignore the wallet in the order. It could then
          // walk the index of times, through the grants of all wallets.
          gte(grants.wallet, $.wallet),
          lte(grants.wallet, $.wallet),
          isNull(grants.endedAt),
          gt(grants.expiresAt, $.now),
          gt(grants.lastUsedAt, $.usedAfter),
        ),
      )
      .orderBy(desc(grants.wallet), desc(grants.lastUsedAt))
      .limit($.limit),
)

/** Lists a wallet's active grants, the last used first. */
export const listGrants = (db: Db, wallet: Wallet, now: Date) =>
  activeGrants.run(db, {
    wallet,
    now,
    usedAfter: new Date(now.getTime() - GRANT_UNUSED_MS),
    limit: GRANTS_PER_WALLET,
  })

/** Declares the deletion of grants from before a time, the oldest first by the time's index. */
const deletionBy = (at: SQL) =>
  statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
    db.delete(grants).where(
      // The array makes the planner look them up by key.
      sql`${grants.id} = any (array(${db
        .select({ id: grants.id })
        .from(grants)
        .where(sql`${at} < ${$.before}`)
        .orderBy(asc(at))
        .limit($.limit)}))`,
    ),
  )

const endedGrants = deletionBy(sql`least(${grants.endedAt}, ${grants.expiresAt})`)
const unusedGrants = deletionBy(sql`${grants.lastUsedAt}`)

/** Deletes grants that ended or expired before a time, at most `limit` of them. Returns their number. */
export async function deleteEndedGrants(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await endedGrants.run(db, { before, limit })
  return rowCount
}

/** Deletes grants that were last used before a time, at most `limit` of them. Returns their number. */
export async function deleteUnusedGrants(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await unusedGrants.run(db, { before, limit })
  return rowCount
}
