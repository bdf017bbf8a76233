/** How long a built transaction can land, roughly: 150 blocks of 400 ms. The block height is what counts. */
export const TRANSACTION_LIFETIME_MS = 60_000

/**
 * For this long after it was built a wallet_first transaction is cosigned. Nothing extends this: the
 * transaction would otherwise take effect long after its terms were stated.
 */
export const SIGNING_PERIOD_MS = 300_000

/** How many blocks after it was made a blockhash is valid. */
export const BLOCKHASH_BLOCKS = 150n

/** Before this age a transaction can't have expired, so nobody needs to ask for the block height. */
export const MIN_EXPIRY_AGE_MS = 40_000

/** For this long after someone has asked the chain what became of a transaction, nobody else does. */
export const SETTLE_LEASE_MS = 2_000

/** What one getMultipleAccounts call may ask for. */
export const MAX_ACCOUNTS_PER_CALL = 100

/** When to try again what a passing condition has prevented. */
export const RETRY_SECONDS = 2

/** For this long after it was built a transaction is known that was never signed. */
export const UNSIGNED_KEPT_MS = 600_000

/* Until when the relay signs what a wallet signs first; pure. */

/** When the relay stops cosigning a transaction that was built then. */
export const deadlineOf = (createdAt: Date): Date => new Date(createdAt.getTime() + SIGNING_PERIOD_MS)

/** What was built at this time or before is past its deadline at `now`. */
export const deadlinePassed = (now: Date): Date => new Date(now.getTime() - SIGNING_PERIOD_MS)
