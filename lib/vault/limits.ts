import { DAY_SECONDS } from './rules.ts'

/** Signed stacks of one owner whose outcome is unknown. */
export const MAX_OPEN_STACKS = 5

/** Open positions of one owner, including open stacks, which may become positions. */
export const MAX_OPEN_POSITIONS = 50

/** How far finality is behind: after this time an expired transaction is known to have expired. */
export const FINALITY_SECONDS = 15

/** Retry-After of errors that only the operator can fix. */
export const OPERATOR_RETRY_SECONDS = 60

/** Owners that one job run settles. Each takes one or two RPC calls. */
export const MAX_OWNERS_PER_RUN = 40

/**
 * How long after its building an expired stack is checked again: a hundred stacks per job run. The job runs
 * for them alone every ten minutes.
 */
export const EXPIRED_STACKS_WATCHED_MS = DAY_SECONDS * 1000

/** Open positions that one job run reads again. Fifty or more share an RPC call. */
export const MAX_POSITIONS_PER_RUN = 1_000

/** Shortest time between two reads of a new position, however many stacks are signed. */
export const NEW_POSITIONS_EVERY_MS = 60_000

/** Returns when a signed stack makes the positions of the last day due: it may follow an early payout. */
export const positionsAfter = (stackedAt: Date): Date =>
  new Date(stackedAt.getTime() + NEW_POSITIONS_EVERY_MS)

/** Returns the time by which an early payout is final. */
export const confirmationAt = (seenAt: Date): Date => new Date(seenAt.getTime() + 30_000)

/** An early payout that is not confirmed within this time waits for another job run. */
export const CONFIRMED_WITHIN_MS = 5 * 60_000

/** Early payouts that one job run confirms. */
export const MAX_CONFIRMED_PER_RUN = 40

/**
 * RPC calls of the searches for an owner's stacks when somebody reads the vault. A search for a stack that
 * was never sent takes one call; a found stack needs another one.
 */
export const MAX_SEARCH_CALLS_OF_READ = MAX_OPEN_STACKS + 1

/** RPC calls of all searches for stacks in one job run. Further searches wait for the next one. */
export const MAX_SEARCH_CALLS_PER_RUN = 200

/* Reservations of yield are settled before a caller is rejected, once in two seconds for all callers. */

/**
 * Stacks per batch. Each has two accounts, its own and its vault's, so one RPC call reads a hundred accounts.
 */
export const DUE_STACKS_PER_BATCH = 50

/** Batches per caller. */
export const MAX_BATCHES_OF_DUE = 3

/** RPC calls of the searches per caller, the largest yields first. */
export const MAX_SEARCH_CALLS_OF_DUE = 20

/**
 * Owners whose intents were checked within this time are left to a later caller, so that other owners are
 * checked, too.
 */
export const ASKED_RECENTLY_MS = 10_000
