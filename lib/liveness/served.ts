import type { Answer } from './ask.ts'

/** Longer entity tags are not kept. */
const MAX_ETAG_LENGTH = 200

/** The headers of a conditional GET (RFC 9110, 13.1.2). */
export const unlessUnchanged = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-none-match': etag }

export function etagOf({ headers }: Answer): string | null {
  const etag = headers.get('etag')
  return etag !== null && etag.length <= MAX_ETAG_LENGTH ? etag : null
}
