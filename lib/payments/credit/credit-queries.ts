import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Cred } from '../../../schema/amounts.ts'
import { credits } from '../../../schema/tables/credits.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** A wallet's unused credit, and the balance below which a low-credit event is published; null for none. */
export type Credit = { balance: Cred; lowBelow: Cred | null }

const creditOf = read({ owner: credits.owner }, (db, $) =>
  db
    .select({ balance: credits.balance, lowBelow: credits.lowBelow })
    .from(credits)
    .where(eq(credits.owner, $.owner)),
)

/** Returns a wallet's credit as a column of another folder's select: zero if it never bought any. */
export const balanceOf = (owner: SQLWrapper): SQL<bigint> =>
  sql`coalesce((select ${credits.balance} from ${credits} where ${credits.owner} = ${owner}), 0)`.mapWith(
    BigInt,
  ) as SQL<bigint>

/** Finds a wallet's credit; undefined if it never bought any. */
export async function findCredit(db: Db, owner: Wallet): Promise<Credit | undefined> {
  return (await creditOf.run(db, { owner }))[0]
}
