import { asc, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { spentNonces, wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { isOwnedBy } from '../agents/parts/part-queries.ts'
import { hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

const loginRecord = statement(
  {
    nonce: spentNonces.nonce,
    expiresAt: spentNonces.expiresAt,
    wallet: wallets.address,
    agentId: 'uuid?',
    now: wallets.firstLoginAt,
  },
  (db, $) => {
    const spent = db
      .$with('spent')
      .as(
        db
          .insert(spentNonces)
          .values({ nonce: $.nonce, expiresAt: $.expiresAt })
          .onConflictDoNothing()
          .returning(),
      )
    const arrival = db.$with('arrival').as(
      db
        .insert(wallets)
        .select(
          db
            .select({
              address: $.wallet.as('address'),
              firstLoginAt: $.now.as('first_login_at'),
              lastLoginAt: $.now.as('last_login_at'),
            })
            .from(spent),
        )
        .onConflictDoUpdate({
          target: wallets.address,
          set: { lastLoginAt: sql`greatest(${wallets.lastLoginAt}, excluded.last_login_at)` },
        })
        .returning(),
    )
    return db
      .with(spent, arrival)
      .select({ firstUse: hasRows(spent), ownsAgent: isOwnedBy($.agentId, $.wallet) })
      .from(sql`(select) as once`)
  },
)

/**
 * Spends a nonce, notes the wallet's first and last login, and says whether the wallet owns the agent: one
 * statement. Of any number of calls with one nonce exactly one gets `firstUse`.
 */
export async function recordLogin(
  db: Db,
  login: { nonce: string; wallet: Wallet; agentId?: string | undefined; now: Date },
): Promise<{ firstUse: boolean; ownsAgent: boolean }> {
  // A spent nonce must be remembered for as long as its challenge can be open, counted from the latest
  // possible issue.
  const expiresAt = new Date(login.now.getTime() + CHALLENGE_LIFETIME_MS)
  const [row] = await loginRecord.run(db, { ...login, expiresAt })
  if (!row) throw new Error('the login statement returned no row')
  return row
}

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
