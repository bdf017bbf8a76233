import type { PageService } from '../../lib/agents/page-service.ts'
import { MOVED, placeOf } from '../../lib/console/addresses.ts'
import { pageAnswer } from './page.ts'
import { sitemapAnswer } from './sitemap.ts'

export { Health } from '../../lib/http/worker-health.ts'

/**
 * Serves the console: built files below /console/. Where Workers static assets come first (a deployment),
 * this sees only addresses without a file. A view's own address is answered with the page that shows it. The
 * sitemap is made here.
 */
export default {
  async fetch(request, { ASSETS, AGENTS, READ_LIMIT, API_ORIGIN }) {
    const { pathname, search } = new URL(request.url)
    if (CONSENT.test(pathname) && wantsJson(request))
      return Response.redirect(new URL(`/v1/oauth/request${search}`, request.url).href, 307)
    const file = await ASSETS.fetch(request)
    if (file.status !== 404) return file
    const address = pathname.slice('/console/'.length).replace(/\/+$/, '')
    const moved = Object.hasOwn(MOVED, address) ? MOVED[address] : undefined
    if (moved !== undefined)
      return Response.redirect(new URL(`/console/${moved}${search}`, request.url).href, 301)
    // wrangler's types know the name of another Worker's entrypoint, not its methods.
    const agents = AGENTS as unknown as PageService
    const deps = { agents, origin: API_ORIGIN, now: new Date() }
    const sitemap = await sitemapAnswer(pathname, deps)
    if (sitemap) return sitemap
    if (placeOf(address) || !/\.\w+$/.test(pathname)) {
      const readPage = () => ASSETS.fetch(new URL('/console/', request.url))
      const page = await pageAnswer(address, request, { ...deps, readPage, limit: READ_LIMIT })
      // Keeps the opener of a popup: web clients open the consent page in one, and wait for its answer.
      if (CONSENT.test(pathname)) page.headers.delete('cross-origin-opener-policy')
      return page
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
