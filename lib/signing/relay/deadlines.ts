import { SIGNING_PERIOD_MS } from './limits.ts'

/* Until when the relay signs what a wallet signs first; pure. */

/** When the relay stops cosigning a transaction that was built then. */
export const deadlineOf = (createdAt: Date): Date => new Date(createdAt.getTime() + SIGNING_PERIOD_MS)

/** What was built at this time or before is past its deadline at `now`. */
export const deadlinePassed = (now: Date): Date => new Date(now.getTime() - SIGNING_PERIOD_MS)
