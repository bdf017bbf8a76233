export { Health } from '../../lib/http/worker-health.ts'

/**
 * Serves the console: built files below /console/. Where Workers static assets come first (a deployment),
 * this sees only addresses that are no file: a view's own address, which is answered with the page that shows
 * it.
 */
export default {
  async fetch(request, { ASSETS }) {
    const { pathname, search } = new URL(request.url)
    if (CONSENT.test(pathname) && wantsJson(request))
      return Response.redirect(new URL(`/v1/oauth/request${search}`, request.url).href, 307)
    const file = await ASSETS.fetch(request)
    if (file.status !== 404) return file
    const isView = !/\.\w+$/.test(pathname)
    if (isView) {
      const page = await ASSETS.fetch(new Request(new URL('/console/', request.url), request))
      return CONSENT.test(pathname) ? withOpener(page) : page
    }
    // A file of another version, which may be there again: nothing to keep for a year.
    const missing = new Response(file.body, file)
    missing.headers.set('cache-control', 'no-store')
    return missing
  },
} satisfies ExportedHandler<Cloudflare.ConsoleEnv>

/** The page on which a wallet allows a program to connect (OAuth's authorization endpoint). */
const CONSENT = /^\/console\/connect\/?$/

/** Whether a program asks, not a browser. Some ask first whether the service still knows their id. */
function wantsJson({ headers }: Request): boolean {
  const accepted = headers.get('accept') ?? ''
  return accepted.includes('application/json') && !accepted.includes('text/html')
}

/** Keeps the opener of a popup: web clients open the consent page in one, and wait for its answer. */
function withOpener(page: Response): Response {
  const copy = new Response(page.body, page)
  copy.headers.delete('cross-origin-opener-policy')
  return copy
}
