import type { Db } from '../db/connect.ts'
import { revokeBegun } from './queries.ts'

/** Ends all sessions of the session's wallet that began until now, this one too. */
export async function revokeSessions(deps: { db: Db; now: Date }): Promise<void> {
  await revokeBegun(deps.db, deps.now)
}
