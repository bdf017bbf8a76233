import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Cred } from '../../../schema/amounts.ts'
import { credits } from '../../../schema/tables/credits.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'

/** What a wallet has bought and not used up, and below what it is told that this is low, if it will be. */
export type Credit = { balance: Cred; lowBelow: Cred | null }

const creditOf = read({ owner: credits.owner }, (db, $) =>
  db
    .select({ balance: credits.balance, lowBelow: credits.lowBelow })
    .from(credits)
    .where(eq(credits.owner, $.owner)),
)

/** A wallet's credit, as a column of another group's select: zero if it never bought any. */
export const balanceOf = (owner: SQLWrapper): SQL<bigint> =>
  sql`coalesce((select ${credits.balance} from ${credits} where ${credits.owner} = ${owner}), 0)`.mapWith(
    BigInt,
  ) as SQL<bigint>

/** Finds a wallet's credit; undefined if it never bought any. */
export async function findCredit(db: Db, owner: Wallet): Promise<Credit | undefined> {
  return (await creditOf.run(db, { owner }))[0]
}
