export { Health } from '../../lib/http/worker-health.ts'

/**
 * Serves the console: built files below /console/. Where Workers static assets come first (a deployment),
 * this sees only addresses that are no file: a view's own address, which is answered with the page that shows
 * it.
 */
export default {
  async fetch(request, { ASSETS }) {
    const file = await ASSETS.fetch(request)
    if (file.status !== 404) return file
    const isView = !/\.\w+$/.test(new URL(request.url).pathname)
    if (isView) return ASSETS.fetch(new Request(new URL('/console/', request.url), request))
    // A file of another version, which may be there again: nothing to keep for a year.
    const missing = new Response(file.body, file)
    missing.headers.set('cache-control', 'no-store')
    return missing
  },
} satisfies ExportedHandler<Cloudflare.ConsoleEnv>
