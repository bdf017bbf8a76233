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
