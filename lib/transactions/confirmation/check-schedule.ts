import { nextDaily } from '../../clock/jobs.ts'
import { HOUR_MS } from '../../time.ts'

/* When the settlement job checks the status of a signed transaction; pure. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** The age at the first status check; first_check of schema/functions has the same figure. */
export const FIRST_CHECK_MS = 5 * SECOND_MS
const EARLY_CHECKS_MS = [FIRST_CHECK_MS, 15 * SECOND_MS, 30 * SECOND_MS]
/** Up to this age a check follows every minute: by then a transaction is known to have expired. */
const EACH_MINUTE_FOR_MS = 5 * MINUTE_MS
/** From this age on checks wait for the daily job: each by itself would wake the database. */
const DAILY_AFTER_MS = 6 * HOUR_MS

/** Returns when a transaction that is signed now is checked first. */
export const firstCheck = (signedAt: Date): Date => new Date(signedAt.getTime() + FIRST_CHECK_MS)

/**
 * Returns when to check an inconclusive transaction again: at twice its age, from six hours on with the daily
 * job. So a transaction that can't be proven costs ever less.
 */
export function exponentialBackoff(since: Date, now: Date): Date {
  const age = Math.max(now.getTime() - since.getTime(), 0)
  return age < DAILY_AFTER_MS ? new Date(now.getTime() + age) : new Date(nextDaily(now.getTime()))
}

/** Returns when to check an open transaction next. */
export function nextCheck(signedAt: Date, now: Date): Date {
  const age = now.getTime() - signedAt.getTime()
  const early = EARLY_CHECKS_MS.find((ms) => ms > age)
  if (early !== undefined) return new Date(signedAt.getTime() + early)
  return age < EACH_MINUTE_FOR_MS ? new Date(now.getTime() + MINUTE_MS) : exponentialBackoff(signedAt, now)
}

/** The age at which an expired stack is rechecked first; expire_vault_intent has the same figure. */
export const RECHECK_MS = 10 * MINUTE_MS
