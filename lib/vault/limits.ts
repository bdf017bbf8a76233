/** Built stacks of one owner whose outcome is unknown. */
export const MAX_OPEN_STACKS = 5

/** For this long after someone has asked the chain about an owner, nobody else does. */
export const SETTLE_LEASE_MS = 2_000

/** How long a built transaction can land, roughly: 150 blocks of 400 ms. The block height is what counts. */
export const TRANSACTION_LIFETIME_MS = 60_000

/** Before this age an intent can't have expired, so nobody needs to ask for the block height. */
export const MIN_EXPIRY_AGE_MS = 40_000

/** What one getMultipleAccounts call may ask for. */
export const MAX_ACCOUNTS_PER_CALL = 100

/** How far finality trails: only then is an expired transaction known to have expired. */
export const FINALITY_SECONDS = 15
