import type { Db } from '../db/connect.ts'
import { revokeBegun } from './queries.ts'

/** Ends all existing sessions of the session's wallet, including this one. */
export async function revokeSessions(deps: { db: Db; now: Date }): Promise<void> {
  await revokeBegun(deps.db, deps.now)
}
