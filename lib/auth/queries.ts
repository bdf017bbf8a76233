import { asc, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { spentNonces, wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import { statement } from '../db/statement.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/**
 * Spends a nonce and records the wallet's login with one function call. Returns the wallet's session epoch
 * and whether it owns the agent.
 * @returns undefined if the nonce is already spent
 */
export async function recordLogin(
  db: Db,
  login: { nonce: string; wallet: Wallet; agentId?: string | undefined; now: Date },
): Promise<{ epoch: number; ownsAgent: boolean } | undefined> {
  // Keep a spent nonce while its challenge could be open, counted from the latest possible issue.
  const expiresAt = new Date(login.now.getTime() + CHALLENGE_LIFETIME_MS)
  const { outcome, ...recorded } = await postgres.recordLogin.call(db, { ...login, expiresAt })
  return outcome === 'recorded' ? recorded : undefined
}

/** Ends all existing sessions of a session's wallet. @param db the database of that session */
export const revokeBegun = (db: Db, now: Date) => postgres.revokeSessions.call(db, { now })

/** Selects when the wallet first logged in; null if never. */
export const firstLoginOf = (wallet: SQLWrapper): SQL<Date | null> =>
  sql`(select ${wallets.firstLoginAt} from ${wallets} where ${wallets.address} = ${wallet})`.mapWith(
    (value) => value && wallets.firstLoginAt.mapFromDriverValue(value),
  ) as SQL<Date | null>

const expiredNonces = statement({ now: spentNonces.expiresAt, limit: 'integer' }, (db, $) =>
  db.delete(spentNonces).where(
    // The oldest by their index; the array makes the planner look them up by key.
    sql`${spentNonces.nonce} = any (array(${db
      .select({ nonce: spentNonces.nonce })
      .from(spentNonces)
      .where(lte(spentNonces.expiresAt, $.now))
      .orderBy(asc(spentNonces.expiresAt))
      .limit($.limit)}))`,
  ),
)

/** Deletes spent nonces whose challenges have expired, at most `limit` of them. */
export async function deleteSpentNonces(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await expiredNonces.run(db, { now, limit })
  return rowCount
}
