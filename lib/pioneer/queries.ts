import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { pioneerSpots, pioneers, referralBounties } from '../../schema/tables/pioneers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

/** A pioneer with the number of bounties that it has earned. */
export type PioneerRow = typeof pioneers.$inferSelect & { referralBounties: number }

/**
 * Finds a pioneer by its wallet. A statement, because it is also read after redeem_invite.
 */
export const pioneerByWallet = read({ wallet: pioneers.wallet }, (db, $) =>
  db
    .select({
      ...getTableColumns(pioneers),
      // eq, not a template with the two columns: of a select from one table Drizzle drops the table's name
      // from the columns of such a template, and both tables have a wallet.
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

/** The number of pioneers, as a column of another group's select: a counter, not a count. */
export const pioneerCount = (): SQL<number> =>
  sql`(select ${pioneerSpots.taken} from ${pioneerSpots})`.mapWith(Number) as SQL<number>
