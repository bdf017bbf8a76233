import { DAY_MS } from '../../time.ts'

/**
 * A hire renews so many times in a row without use: a collected charge or a login of its hirer since the last
 * renewal. Rows that nobody pays for or looks at would be written for ever otherwise.
 */
export const MOST_UNUSED_RENEWALS = 3

/**
 * A login so long after the end of a term still counts as one within it, unless that end was recorded by
 * then: of a wallet's logins only the last is known, and it must not hide an earlier one.
 */
export const LATE_LOGIN_MS = DAY_MS

/** How long after it was registered or hired, or its owner has logged in, an agent is idle (`idle_after`). */
const IDLE_AFTER_MS = 30 * DAY_MS

/**
 * An agent was used lately, so that its endpoint is looked at at each tick, if it is not idle for so long
 * yet: it was registered, hired or paid within a week, or up to a day more (`listed_until`).
 */
export const USED_FOR_MS = IDLE_AFTER_MS - 7 * DAY_MS
