import { DAY_SECONDS } from './rules.ts'

/** Signed stacks of one owner whose outcome is unknown. */
export const MAX_OPEN_STACKS = 5

/** Open positions of one owner, with the open stacks that may become some. */
export const MAX_OPEN_POSITIONS = 50

/** For this long after someone has asked the chain about an owner, nobody else does. */
export const SETTLE_LEASE_MS = 2_000

/** How long a built transaction can land, roughly: 150 blocks of 400 ms. The block height is what counts. */
export const TRANSACTION_LIFETIME_MS = 60_000

/**
 * For this long after it was built a wallet_first transaction is cosigned. Nothing extends it: a stake kept
 * from landing for longer would begin long after its term.
 */
export const SIGNING_PERIOD_MS = 300_000

/** How many blocks after it was made a blockhash is valid. */
export const BLOCKHASH_BLOCKS = 150n

/** Before this age an intent can't have expired, so nobody needs to ask for the block height. */
export const MIN_EXPIRY_AGE_MS = 40_000

/** What one getMultipleAccounts call may ask for. */
export const MAX_ACCOUNTS_PER_CALL = 100

/** How far finality trails: only then is an expired transaction known to have expired. */
export const FINALITY_SECONDS = 15

/** When to try again what a passing condition has prevented. */
export const RETRY_SECONDS = 2

/** When to try again what only the operator can mend. */
export const OPERATOR_RETRY_SECONDS = 60

/** Owners that one run of the sweep settles: each is one or two calls to the chain. */
export const MAX_OWNERS_PER_SWEEP = 40

/** For this long after it was built, the sweep looks again at a stack that expired. */
export const EXPIRED_STACKS_WATCHED_MS = DAY_SECONDS * 1000

/** Expired stacks that one run of the sweep looks at: a call to the chain for each hundred. */
export const MAX_EXPIRED_STACKS_PER_SWEEP = 2_000

/** Open positions that one run of the rounds reads again: a call to the chain for each fifty at worst. */
export const MAX_POSITIONS_PER_ROUND = 1_000

/** Early payouts that one run confirms. */
export const MAX_CONFIRMED_PER_SWEEP = 40

/** How many transactions that name a stack's id are searched for the one that it was. */
export const MAX_SIGNATURES_SEARCHED = 10

/** For this long after it was built a transaction is known that was never signed. */
export const UNSIGNED_KEPT_MS = 600_000
