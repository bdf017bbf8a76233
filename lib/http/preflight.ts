/** Request headers that the operations read. */
const READ_HEADERS =
  'Authorization,Content-Type,If-None-Match,X-Request-Id,MCP-Protocol-Version,Mcp-Method,Mcp-Name'

/** More than any page's libraries add, and less than makes an answer large. */
const MAX_ASKED_CHARACTERS = 2_048

/** A header's name (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i

/**
 * Returns the request headers that a page may send: those of the operations, and any that it asks for.
 * Tracing and monitoring scripts add their own to each call of a page, and a header is no credential: no
 * cookies go along. A list that is too long is left out, and so are texts that are not names.
 * @param asked the header Access-Control-Request-Headers
 */
export function allowedHeaders(asked: string | null): string {
  if (asked === null || asked.length > MAX_ASKED_CHARACTERS) return READ_HEADERS
  const known = READ_HEADERS.toLowerCase().split(',')
  const names = asked
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const others = names.filter((name) => TOKEN.test(name) && !known.includes(name))
  return [READ_HEADERS, ...new Set(others)].join(',')
}

/** Answers a browser's question before a call (CORS): the same for every origin and path. */
export const preflight = ({ headers }: Request): Response =>
  new Response(null, {
    status: 204,
    statusText: 'No Content',
    headers: {
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': allowedHeaders(headers.get('access-control-request-headers')),
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
    },
  })
