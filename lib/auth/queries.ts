import { asc, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { spentNonces, wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import { statement } from '../db/statement.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/**
 * Spends a nonce, notes the wallet's login, and says of which generation its session is and whether the
 * wallet owns the agent: one call of a function.
 * @returns undefined where the nonce was spent before: of any number of calls with one nonce one is not
 */
export async function recordLogin(
  db: Db,
  login: { nonce: string; wallet: Wallet; agentId?: string | undefined; now: Date },
): Promise<{ generation: number; ownsAgent: boolean } | undefined> {
  // A spent nonce must be remembered for as long as its challenge can be open, counted from the latest
  // possible issue.
  const expiresAt = new Date(login.now.getTime() + CHALLENGE_LIFETIME_MS)
  const { outcome, ...recorded } = await postgres.recordLogin.call(db, { ...login, expiresAt })
  return outcome === 'recorded' ? recorded : undefined
}

/** Ends all sessions of a session's wallet that have begun. @param db of that session */
export const revokeBegun = (db: Db, now: Date) => postgres.revokeSessions.call(db, { now })

/** When the wallet first logged in (null if never), as a column of another group's select. */
export const firstLoginOf = (wallet: SQLWrapper): SQL<Date | null> =>
  sql`(select ${wallets.firstLoginAt} from ${wallets} where ${wallets.address} = ${wallet})`.mapWith(
    (value) => value && wallets.firstLoginAt.mapFromDriverValue(value),
  ) as SQL<Date | null>

const expiredNonces = statement({ now: spentNonces.expiresAt, limit: 'integer' }, (db, $) =>
  db.delete(spentNonces).where(
    // The oldest by their index, looked up by key, however many the planner expects.
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
