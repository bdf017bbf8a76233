/** Response headers a browser page may read. */
const EXPOSED = 'ETag,Link,Retry-After,RateLimit-Policy,X-Request-Id'

const PREFLIGHT = {
  'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
  'access-control-allow-headers':
    'Authorization,Content-Type,If-None-Match,X-Request-Id,MCP-Protocol-Version,Mcp-Method,Mcp-Name',
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
}

/** The answer to a browser's question before a call (CORS): the same for every origin and path. */
export const preflight = (): Response =>
  new Response(null, { status: 204, statusText: 'No Content', headers: PREFLIGHT })

/** Lets a page of any origin read an answer. Nothing goes by cookies, so no credentials are allowed. */
export function allowEveryOrigin(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
}
