import { type SQL, sql } from 'drizzle-orm'
import { spentNonces } from '../../schema/tables/spent-nonces.ts'
import { wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { isOwnedBy } from '../agents/queries.ts'
import type { Db } from '../db/connect.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/**
 * Spends a nonce, notes the wallet's first login, and says whether the wallet owns the agent: one statement.
 * Of any number of calls with one nonce exactly one gets `firstUse`.
 */
export async function recordLogin(
  db: Db,
  login: { nonce: string; wallet: Wallet; agentId?: string | undefined; now: Date },
): Promise<{ firstUse: boolean; ownsAgent: boolean }> {
  // A spent nonce must be remembered for as long as its challenge can be open, counted from the latest possible issue.
  const expiresAt = new Date(login.now.getTime() + CHALLENGE_LIFETIME_MS)
  const spent = db
    .$with('spent')
    .as(db.insert(spentNonces).values({ nonce: login.nonce, expiresAt }).onConflictDoNothing().returning())
  const arrival = db
    .$with('arrival')
    .as(
      db
        .insert(wallets)
        .select(sql`select ${login.wallet}::text, ${login.now.toISOString()}::timestamptz from spent`)
        .onConflictDoNothing()
        .returning(),
    )
  const [row] = await db
    .with(spent, arrival)
    .select({
      firstUse: sql<boolean>`exists (select from ${spent})`,
      ownsAgent: isOwnedBy(login.agentId, login.wallet),
    })
    .from(sql`(select) as once`)
  if (!row) throw new Error('the login statement returned no row')
  return row
}

/** When the wallet first logged in (null if never), as a column of another group's select. */
export const firstLoginOf = (wallet: Wallet): SQL<Date | null> =>
  sql`(select ${wallets.firstLoginAt} from ${wallets} where ${wallets.address} = ${wallet})`.mapWith(
    (value) => value && wallets.firstLoginAt.mapFromDriverValue(value),
  ) as SQL<Date | null>

/** Deletes spent nonces whose challenges have expired, at most `limit` of them. */
export async function deleteSpentNonces(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${spentNonces} where ${spentNonces.nonce} in (
      select ${spentNonces.nonce} from ${spentNonces}
      where ${spentNonces.expiresAt} <= ${now.toISOString()}::timestamptz limit ${limit})`)
  return rowCount
}
