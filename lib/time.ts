/** Milliseconds of an hour and of a day. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The beginning of a time's day, in UTC. */
export const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)

/**
 * Reads the milliseconds that a Retry-After header asks for (RFC 9110, 10.2.3), at most `maxMs`; 0 if it is
 * no such header.
 */
export function retryAfterMs(header: string | null, now: Date, maxMs: number): number {
  const text = header?.trim() ?? ''
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), maxMs)
}

/**
 * Waits for a promise, but no longer than so many milliseconds. What it stands for goes on.
 * @throws DOMException TimeoutError; what the promise is rejected with
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DOMException('no answer in time', 'TimeoutError')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    if (timer !== undefined) clearTimeout(timer)
  }
}
