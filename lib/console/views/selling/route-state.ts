import type { ListedRoute } from '../../../client/generated/types.ts'

/**
 * How long a check is waited for, in milliseconds. A host is asked at most once a minute, and the job that
 * asks may be three minutes late (lib/clock/jobs.ts).
 */
const WAITS_MS = 5 * 60_000

/**
 * Returns whether a check of a route is expected within minutes.
 * @param askedAt when this page asked for a check, in Unix milliseconds; undefined if it did not
 * @param now the service's time, in Unix milliseconds
 */
export function isBeingChecked(
  {
    state,
    hidden,
    checkedAt,
    nextCheckAt,
  }: Pick<ListedRoute, 'state' | 'hidden' | 'checkedAt' | 'nextCheckAt'>,
  askedAt: number | undefined,
  now: number,
): boolean {
  if (hidden) return false
  const isAsked = askedAt !== undefined && now - askedAt < WAITS_MS
  if (isAsked && (checkedAt === undefined || Date.parse(checkedAt) < askedAt)) return true
  if (state !== 'pending' || nextCheckAt === undefined) return false
  return Math.abs(Date.parse(nextCheckAt) - now) < WAITS_MS
}
