/**
 * 9999-12-31T23:59:59.999Z: RFC 3339 has no later time, and ISO text has another form beyond it, which
 * Postgres does not read.
 */
export const LAST_INSTANT_MS = 253_402_300_799_999

/** Whether this is a time as `toISOString` writes it, of a day that exists, from the year 1 to 9999. */
export function isInstant(text: string): boolean {
  const time = new Date(text)
  // Dates roll over: February 31st is read as a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}
