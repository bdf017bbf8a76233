/**
 * Reads the milliseconds that a Retry-After header asks for (RFC 9110, 10.2.3), at most `maxMs`; 0 if it is
 * no such header.
 */
export function retryAfterMs(header: string | null, now: Date, maxMs: number): number {
  const text = header?.trim() ?? ''
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), maxMs)
}
