/** Request headers that the operations read. */
const READ_HEADERS =
  'Authorization,Content-Type,If-None-Match,X-Request-Id,MCP-Protocol-Version,Mcp-Method,Mcp-Name'

/** More than the libraries of a page add, and little enough to keep the answer small. */
const MAX_ASKED_CHARACTERS = 2_048

/** A header's name (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i

/**
 * Returns the request headers that a page may send: the headers of the operations and any that it asks for.
 * Tracing and monitoring scripts add headers to every call of a page. This is safe because the API uses no
 * cookies. Ignores a list that is too long, and texts that are not header names.
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

/** Answers a CORS preflight: the same for every origin and path. */
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
