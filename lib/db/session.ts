import { API_SCHEMA } from '../../schema/release.ts'
import type { Item } from './batch.ts'
import type { Db, SessionClaim } from './connect.ts'

/**
 * Returns the database of a session: every statement first checks, in its own transaction, that the session
 * is not revoked (batch.ts). Functions of sessions begin with the check (schema/functions); other statements
 * follow it in a batch, so it takes no extra round trip.
 */
export const forSession = ({ $client, role }: Db, { wallet, generation }: SessionClaim): Db => ({
  $client,
  ...(role && { role }),
  ofSession: { wallet, generation },
})

/** Makes the statement that rejects a revoked session. */
export const assertionOf = ({ wallet, generation }: SessionClaim): Item<void> => ({
  text: `select ${API_SCHEMA}.assert_session($1::text, $2::integer)`,
  values: [wallet, generation],
  isRead: true,
  arrayMode: true,
  resultOf: () => undefined,
})
