/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

/**
 * The service's clock, read off the `Date` of its answers: the visitor's own may be wrong, and the local
 * platform's is moved at will.
 * @param ask sends requests
 * @param now this machine's clock, Unix milliseconds
 */
export function createServiceClock(ask: typeof fetch, now: () => number = Date.now) {
  let aheadMs: number | undefined
  return {
    /** Unix milliseconds. Until the first answer it is this machine's clock. */
    now: (): number => now() + (aheadMs ?? 0),
    /** Sends a request, and reads its answer's date. */
    fetch: async (...request: Parameters<typeof fetch>): Promise<Response> => {
      const answer = await ask(...request)
      const date = Date.parse(answer.headers.get('date') ?? '')
      // A `Date` lasts to the end of its second. A cached answer has an earlier one, so the latest counts.
      if (Number.isFinite(date)) aheadMs = Math.max(aheadMs ?? -Infinity, date + 999 - now())
      return answer
    },
  }
}
