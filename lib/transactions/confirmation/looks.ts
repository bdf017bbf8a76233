import { nextDaily } from '../../clock/kinds.ts'
import { HOUR_MS } from '../../time.ts'

/* When the settlement rounds ask the chain about what was signed; pure. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** The first look after signing; the same figure stands in first_look of schema/functions. */
export const FIRST_LOOK_MS = 5 * SECOND_MS
const EARLY_LOOKS_MS = [FIRST_LOOK_MS, 15 * SECOND_MS, 30 * SECOND_MS]
/** So long a transaction may take until it is known to have expired: until then every minute. */
const EACH_MINUTE_FOR_MS = 5 * MINUTE_MS
/** What has waited so long waits for the daily round: each by itself would wake the database again. */
const DAILY_AFTER_MS = 6 * HOUR_MS

/** When the first look is at what is signed now. */
export const firstLook = (signedAt: Date): Date => new Date(signedAt.getTime() + FIRST_LOOK_MS)

/**
 * When to ask again what nothing is known of: after as long again as has passed, from six hours on with the
 * daily round, so that what can't be proven costs ever less.
 */
export function backedOff(since: Date, now: Date): Date {
  const age = Math.max(now.getTime() - since.getTime(), 0)
  return age < DAILY_AFTER_MS ? new Date(now.getTime() + age) : new Date(nextDaily(now.getTime()))
}

/** When to look next at what was signed then and is open still. */
export function nextLook(signedAt: Date, now: Date): Date {
  const age = now.getTime() - signedAt.getTime()
  const early = EARLY_LOOKS_MS.find((ms) => ms > age)
  if (early !== undefined) return new Date(signedAt.getTime() + early)
  return age < EACH_MINUTE_FOR_MS ? new Date(now.getTime() + MINUTE_MS) : backedOff(signedAt, now)
}

/** A stack that expired is first looked for again at this age; the same figure is in expire_vault_intent. */
export const SECOND_LOOK_MS = 10 * MINUTE_MS
