import { formatAs } from '../../locale.ts'

/** Returns the months up to that of `now`, in UTC, the oldest first: `2026-11`. */
export function monthsUntil(now: number, count: number): string[] {
  const date = new Date(now)
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1 + index))
      .toISOString()
      .slice(0, 'YYYY-MM'.length),
  )
}

/** Returns the first moment of a month and that of the next one. */
export function timesOf(month: string): { since: string; until: string } {
  const start = new Date(`${month}-01T00:00:00Z`)
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  return { since: start.toISOString(), until: end.toISOString() }
}

/** Names a month: `Nov` or `November 2026`. Its middle is in that month in every time zone. */
export const monthName = (month: string, style: 'short' | 'long'): string =>
  formatAs(
    `${month}-15T12:00:00Z`,
    style === 'short' ? { month: 'short' } : { month: 'long', year: 'numeric' },
  )
