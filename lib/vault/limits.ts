import { DAY_SECONDS } from './rules.ts'

/** Signed stacks of one owner whose outcome is unknown. */
export const MAX_OPEN_STACKS = 5

/** Open positions of one owner, with the open stacks that may become some. */
export const MAX_OPEN_POSITIONS = 50

/** How far finality trails: only then is an expired transaction known to have expired. */
export const FINALITY_SECONDS = 15

/** When to try again what only the operator can mend. */
export const OPERATOR_RETRY_SECONDS = 60

/** Owners that one run of the sweep settles: each is one or two calls to the chain. */
export const MAX_OWNERS_PER_SWEEP = 40

/**
 * For this long after it was built, the rounds look again at a stack that expired: at a hundred a round, and
 * for these alone once in ten minutes.
 */
export const EXPIRED_STACKS_WATCHED_MS = DAY_SECONDS * 1000

/** Open positions that one round reads again: a call to the chain for each fifty at worst. */
export const MAX_POSITIONS_PER_ROUND = 1_000

/** Positions of the last day are read again once in this time at most, however many stacks are signed. */
export const NEW_POSITIONS_EVERY_MS = 60_000

/** A signed stack makes the positions of the last day due: whoever drains them shows it by the next stack. */
export const positionsAfter = (stackedAt: Date): Date =>
  new Date(stackedAt.getTime() + NEW_POSITIONS_EVERY_MS)

/** An early payout that is seen now is final by then. */
export const confirmationAt = (seenAt: Date): Date => new Date(seenAt.getTime() + 30_000)

/** What was not confirmed by then waits for another round. */
export const CONFIRMED_WITHIN_MS = 5 * 60_000

/** Early payouts that one run confirms. */
export const MAX_CONFIRMED_PER_SWEEP = 40

/**
 * How many calls of the node the searches for an owner's stacks make when somebody reads the vault: one for
 * each that was never sent, and a look at one that was found.
 */
export const MAX_SEARCH_CALLS_OF_READ = MAX_OPEN_STACKS + 1

/** How many calls all searches for stacks of one run of the sweep make; the others wait for the next. */
export const MAX_SEARCH_CALLS_PER_SWEEP = 200

/* Settling what holds the yield limits before anybody is refused: for all callers once in two seconds. */

/** Stacks of one batch: each its own account and its vault's, a hundred in one call. */
export const DUE_STACKS_PER_BATCH = 50

/** Batches of one caller. */
export const MAX_BATCHES_OF_DUE = 3

/** How many calls of the node the searches of one caller make, for the largest yields first. */
export const MAX_SEARCH_CALLS_OF_DUE = 20

/**
 * Owners of whom the chain was asked since then are left to a later caller, so that others have their
 * turn.
 */
export const ASKED_RECENTLY_MS = 10_000
