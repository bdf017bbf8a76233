import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { endGrant, listGrants } from '../grants/queries.ts'

/** Lists the active connections of the wallet, the last used first. */
export const listConnections = ({ db, now }: { db: Db; now: Date }, wallet: Wallet) =>
  listGrants(db, wallet, now)

/**
 * Ends a connection of the wallet. Repeating it changes nothing.
 * @throws ApiError connection_not_found
 */
export async function endConnection(deps: { db: Db; now: Date }, wallet: Wallet, id: string): Promise<void> {
  if (await endGrant(deps.db, { id, wallet, now: deps.now })) return
  throw new ApiError('connection_not_found', 'You have no connection with this id.')
}
