import { asc, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { spentNonces, wallets } from '../../schema/tables/wallets.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { isOwnedBy } from '../agents/parts/part-queries.ts'
import { rowFields } from '../db/columns.ts'
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
            .select(
              rowFields(wallets, {
                address: $.wallet,
                firstLoginAt: $.now,
                lastLoginAt: $.now,
                sessionGeneration: sql`0`,
              }),
            )
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
      .select({ generation: arrival.sessionGeneration, ownsAgent: isOwnedBy($.agentId, $.wallet) })
      .from(arrival)
  },
)

/**
 * Spends a nonce, notes the wallet's login, and says of which generation its session is and whether the
 * wallet owns the agent: one statement.
 * @returns undefined where the nonce was spent before: of any number of calls with one nonce one is not
 */
export async function recordLogin(
  db: Db,
  login: { nonce: string; wallet: Wallet; agentId?: string | undefined; now: Date },
): Promise<{ generation: number; ownsAgent: boolean } | undefined> {
  // A spent nonce must be remembered for as long as its challenge can be open, counted from the latest
  // possible issue.
  const expiresAt = new Date(login.now.getTime() + CHALLENGE_LIFETIME_MS)
  const [row] = await loginRecord.run(db, { ...login, expiresAt })
  return row
}

const revocation = statement(
  { wallet: wallets.address, generation: wallets.sessionGeneration, now: wallets.firstLoginAt },
  (db, $) =>
    db
      .insert(wallets)
      .values({ address: $.wallet, firstLoginAt: $.now, lastLoginAt: $.now, sessionGeneration: $.generation })
      .onConflictDoUpdate({
        target: wallets.address,
        set: { sessionGeneration: sql`greatest(${wallets.sessionGeneration}, excluded.session_generation)` },
      }),
)

/**
 * Ends all sessions of a wallet whose generation is below the given one. Of two calls at once the second
 * leaves those sessions alone that began between them.
 */
export const raiseGeneration = (db: Db, values: { wallet: Wallet; generation: number; now: Date }) =>
  revocation.run(db, values)

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
