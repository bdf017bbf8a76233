/** Browsers can set no header of a socket's request but this list, so the token comes in it. */
const HEADER = 'sec-websocket-protocol'
const BEARER = 'bearer.'

/** The subprotocols that a request offers. */
export const subprotocolsOf = (headers: Headers): string[] =>
  (headers.get(HEADER) ?? '').split(',').map((name) => name.trim())

/** The same request with the token of its subprotocols as its Authorization header, if it has none. */
export function withBearer(request: Request): Request {
  if (request.headers.has('authorization')) return request
  const bearer = subprotocolsOf(request.headers).find((name) => name.startsWith(BEARER))
  if (bearer === undefined) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${bearer.slice(BEARER.length)}`)
  return new Request(request, { headers })
}
