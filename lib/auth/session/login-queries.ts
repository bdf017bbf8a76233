import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { wallets } from '../../../schema/tables/wallets.ts'

/** When the wallet last logged in, null if never or at `before` or later, as a value of another statement. */
export const lastLoginOf = (wallet: SQLWrapper, before: SQL): SQL =>
  sql`(select ${wallets.lastLoginAt} from ${wallets}
    where ${wallets.address} = ${wallet} and ${wallets.lastLoginAt} < ${before})`
