/** The only header of a socket's request that browsers can set, so it has the token. */
const HEADER = 'sec-websocket-protocol'
const BEARER = 'bearer.'

/** Returns the subprotocols that a request offers. */
export const subprotocolsOf = (headers: Headers): string[] =>
  (headers.get(HEADER) ?? '').split(',').map((name) => name.trim())

/** Returns the request with the token of its subprotocols as its Authorization header, if it has none. */
export function withBearer(request: Request): Request {
  if (request.headers.has('authorization')) return request
  const bearer = subprotocolsOf(request.headers).find((name) => name.startsWith(BEARER))
  if (bearer === undefined) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${bearer.slice(BEARER.length)}`)
  return new Request(request, { headers })
}
