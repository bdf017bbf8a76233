import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { pioneerSpots, pioneers, referralBounties } from '../../schema/tables/pioneers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

/** A pioneer with the number of its bounties. */
export type PioneerRow = typeof pioneers.$inferSelect & { referralBounties: number }

/**
 * Finds a pioneer by its wallet. It is a statement, since it also runs after redeem_invite.
 */
export const pioneerByWallet = read({ wallet: pioneers.wallet }, (db, $) =>
  db
    .select({
      ...getTableColumns(pioneers),
      // eq, not a template with the two columns. In a select from one table Drizzle omits the table's name in
      // such a template, and both tables have a wallet.
      referralBounties:
        sql`(select count(*) from ${referralBounties} where ${eq(referralBounties.referrer, pioneers.wallet)})`.mapWith(
          Number,
        ),
    })
    .from(pioneers)
    .where(eq(pioneers.wallet, $.wallet)),
)

export async function findPioneer(db: Db, wallet: Wallet): Promise<PioneerRow | undefined> {
  const [row] = await pioneerByWallet.run(db, { wallet })
  return row
}

/** Returns the number of pioneers as a column for another group's select, from a counter. */
export const pioneerCount = (): SQL<number> =>
  sql`(select ${pioneerSpots.taken} from ${pioneerSpots})`.mapWith(Number) as SQL<number>
