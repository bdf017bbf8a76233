/** About how long a built transaction can land: 150 blocks of 400 ms. The block height decides. */
export const TRANSACTION_LIFETIME_MS = 60_000

/**
 * How long the service cosigns a built `wallet_first` transaction. Nothing extends this, so that no
 * transaction takes effect long after its terms were stated.
 */
export const SIGNING_PERIOD_MS = 300_000

/** The life of a blockhash in blocks. */
export const BLOCKHASH_BLOCKS = 150n

/** The least age of an expired transaction: before it nobody needs the block height. */
export const MIN_EXPIRY_AGE_MS = 40_000

/** How long a caller that checks a transaction excludes other callers. */
export const SETTLE_LEASE_MS = 2_000

/** The most accounts of one getMultipleAccounts call. */
export const MAX_ACCOUNTS_PER_CALL = 100

/** When a client may try again after a passing condition. */
export const RETRY_SECONDS = 2

/** The retention of a built transaction that was never signed. */
export const UNSIGNED_RETENTION_MS = 600_000

/* The deadline of the relay; pure. */

/** Returns when the relay stops cosigning a built transaction. */
export const deadlineOf = (createdAt: Date): Date => new Date(createdAt.getTime() + SIGNING_PERIOD_MS)

/** Returns the latest time of building that is past its deadline at `now`. */
export const deadlinePassed = (now: Date): Date => new Date(now.getTime() - SIGNING_PERIOD_MS)
