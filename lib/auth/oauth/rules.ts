/** The rules of OAuth for programs that act for a wallet. */

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
export const DAY_S = 24 * HOUR_S

/** How long an authorization request can be granted. */
export const REQUEST_SECONDS = 10 * MINUTE_S
/** How long a code can be redeemed. */
export const CODE_SECONDS = MINUTE_S
/** Lifetime of an access token. Clients renew it unasked, which wakes the database. */
export const ACCESS_SECONDS = 4 * HOUR_S
/** How long a refresh token can be unused. */
export const REFRESH_SECONDS = 30 * DAY_S
