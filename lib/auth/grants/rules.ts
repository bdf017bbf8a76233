import { DAY_MS } from '../../time.ts'

/** The most active grants of a wallet. A new one ends the least recently used one above that. */
export const GRANTS_PER_WALLET = 20

/** A grant that its client has not used for this long is no longer active. */
export const GRANT_UNUSED_MS = 30 * DAY_MS

/** For this long after a refresh, the former refresh token gets the same next one. */
export const REPEATABLE_SECONDS = 60

/** An agent that uses its key again within this time rewrites no row. */
export const USE_WRITTEN_MS = 3_600_000

/** How long a grant that is no longer active is stored. */
export const GRANT_KEPT_MS = DAY_MS
