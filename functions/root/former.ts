/**
 * Answers at hosts that the service had before. Browsers are led to the present host. Calls are answered
 * where they came: a redirect to another origin drops their Authorization, and a preflight follows none.
 */

/** The pages. A browser without Fetch Metadata is known by asking one of them for HTML. */
const PAGES = /^\/($|console|v1\/docs)/

/** Returns a request's URL at the present host; undefined if it did not come to a former one. */
export function presentUrl(
  { url }: Request,
  { FORMER_HOSTS = '', API_ORIGIN = '' }: Partial<Cloudflare.RootEnv>,
): string | undefined {
  if (FORMER_HOSTS === '') return undefined
  const { host, pathname, search } = new URL(url)
  // As text: a parser takes a path that begins with two slashes for another host.
  return FORMER_HOSTS.split(',').includes(host) ? API_ORIGIN + pathname + search : undefined
}

/** Returns whether a browser asks for a page to show, and not a script for data. */
export function isNavigation({ method, url, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return PAGES.test(new URL(url).pathname) && (headers.get('accept') ?? '').includes('text/html')
}

/** Redirects without being cached: a cached redirect would loop once the service moves back. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 308, headers: { location, 'cache-control': 'no-store' } })

/** Names the resource's URL at the present host on an answer. */
export function withCanonical(answer: Response, url: string): Response {
  if (answer.webSocket) return answer
  const named = new Response(answer.body, answer)
  named.headers.append('link', `<${url}>; rel="canonical"`)
  return named
}
