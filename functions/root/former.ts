/**
 * Tells requests to former hosts of the service apart. Browsers are led to the present host; calls are answered
 * where they came: a redirect to another origin takes their Authorization away, and none may follow a preflight.
 */

/** The pages. A browser that says nothing of how it asks is known by asking one of them for HTML. */
const PAGES = /^\/($|console|v1\/docs)/

/** Returns a request's URL at the present host; undefined where it came there, or to a host of nobody's. */
export function presentUrl(
  { url }: Request,
  { FORMER_HOSTS = '', API_ORIGIN = '' }: Partial<Cloudflare.RootEnv>,
): string | undefined {
  if (FORMER_HOSTS === '') return undefined
  const { host, pathname, search } = new URL(url)
  // Put together as text: a path can begin with two slashes, which a parser takes for another host.
  return FORMER_HOSTS.split(',').includes(host) ? API_ORIGIN + pathname + search : undefined
}

/** Whether a browser shows what it asks for, in the place of a script that reads it. */
export function isNavigation({ method, url, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return PAGES.test(new URL(url).pathname) && (headers.get('accept') ?? '').includes('text/html')
}

/** Redirects for good, but keeps nothing: a browser that kept it would go in a circle once the host moves back. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 308, headers: { location, 'cache-control': 'no-store' } })

/** Says on an answer where its resource is now. */
export function withCanonical(answer: Response, url: string): Response {
  if (answer.webSocket) return answer
  const named = new Response(answer.body, answer)
  named.headers.append('link', `<${url}>; rel="canonical"`)
  return named
}
