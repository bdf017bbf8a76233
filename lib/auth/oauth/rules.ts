import { GRANT_UNUSED_MS } from '../grants/rules.ts'

/** The rules of OAuth for programs that act for a wallet. */

const MINUTE_S = 60

/** How long an authorization request can be granted. */
export const REQUEST_SECONDS = 10 * MINUTE_S
/** How long a code can be redeemed. */
export const CODE_SECONDS = MINUTE_S
/** Lifetime of an access token. Clients renew it unasked, which wakes the database. */
export const ACCESS_SECONDS = 240 * MINUTE_S
/** How long a client's metadata document is kept. KV keeps nothing for less than a minute. */
export const DOCUMENT_SECONDS = 5 * MINUTE_S
/** How long a refresh token can be unused: as long as its grant. */
export const REFRESH_SECONDS = GRANT_UNUSED_MS / 1000
/** The longest life of an access token that a wallet copies, in days. */
export const TOKEN_DAYS = 30
/** How far away the end of an agent's assertion may be. */
export const ASSERTION_SECONDS = 5 * MINUTE_S
/** How much the clock of an agent may differ. */
export const CLOCK_TOLERANCE_SECONDS = MINUTE_S
