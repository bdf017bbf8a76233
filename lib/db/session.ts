import { API_SCHEMA } from '../../schema/release.ts'
import type { Item } from './batch.ts'
import type { Db, SessionClaim } from './connect.ts'

/**
 * The same database for the statements of a session (batch.ts): each asserts in its own transaction, before
 * anything else, that the session is not revoked. Functions of sessions begin with that (schema/functions),
 * any other statement stands behind it. It takes no further round trip.
 */
export const forSession = ({ $client, role }: Db, { wallet, generation }: SessionClaim): Db => ({
  $client,
  ...(role && { role }),
  ofSession: { wallet, generation },
})

/** The statement that refuses a revoked session. */
export const assertionOf = ({ wallet, generation }: SessionClaim): Item<void> => ({
  text: `select ${API_SCHEMA}.assert_session($1::text, $2::integer)`,
  values: [wallet, generation],
  isRead: true,
  arrayMode: true,
  resultOf: () => undefined,
})
