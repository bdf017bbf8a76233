/**
 * 9999-12-31T23:59:59.999Z, the last time of RFC 3339. Later ISO text has another form, which Postgres does
 * not read.
 */
export const LAST_INSTANT_MS = 253_402_300_799_999

/**
 * Returns whether a text is a time in the form of `toISOString`, of an existing day of the years 1 to 9999.
 */
export function isInstant(text: string): boolean {
  const time = new Date(text)
  // Dates roll over: February 31st is read as a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}

const DATE_TIME = /^(.{10})T(\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/**
 * Reads a `date-time` of RFC 3339 with any offset. Cuts off digits beyond milliseconds. Reads a leap second
 * as the second after it.
 * @returns undefined for other texts, days that do not exist, and times outside the years 1 to 9999 in UTC
 */
export function readDateTime(text: string): Date | undefined {
  const [, day, minute, second, fraction = '', sign, hours, minutes] = DATE_TIME.exec(text) ?? []
  const local = `${day}T${minute}:00.000Z`
  if (!isInstant(local) || Number(second) > 60 || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) {
    return undefined
  }
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -MINUTE_MS : MINUTE_MS)
  const start = Date.parse(local) - offset
  // A leap second is the last second of a day in UTC.
  if (second === '60' && start % DAY_MS !== 1_439 * MINUTE_MS && start % DAY_MS !== -MINUTE_MS)
    return undefined
  const time = new Date(start + Number(second) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0')))
  return isInstant(time.toISOString()) ? time : undefined
}
