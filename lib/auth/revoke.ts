import type { Db } from '../db/connect.ts'
import { raiseGeneration } from './queries.ts'
import type { Session } from './session/token.ts'

/**
 * Ends all sessions of the wallet that began until now, this one too. A session that is ended already ends
 * no later one.
 */
export async function revokeSessions(deps: { db: Db; now: Date }, session: Session): Promise<void> {
  const { wallet, generation } = session
  await raiseGeneration(deps.db, { wallet, generation: generation + 1, now: deps.now })
}
