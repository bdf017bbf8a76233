import type { Db, SessionClaim } from './connect.ts'

/**
 * Returns the database of a session: every statement first checks, in its own transaction, that the session
 * is not revoked (batch.ts). Functions of sessions begin with the check (schema/functions); other statements,
 * and functions in a session with a grant, follow it in a batch, so it takes no extra round trip.
 */
export const forSession = ({ $client, role }: Db, { wallet, epoch, grant }: SessionClaim): Db => ({
  $client,
  ...(role && { role }),
  ofSession: { wallet, epoch, grant },
})
