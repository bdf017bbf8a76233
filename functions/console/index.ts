/**
 * Serves the console, built files below /console/. Where Workers static assets come first (a deployment), this
 * sees only what is no file: a view's own address, which is the page that shows it.
 */
export default {
  async fetch(request, { ASSETS }) {
    const file = await ASSETS.fetch(request)
    const isView = file.status === 404 && !/\.\w+$/.test(new URL(request.url).pathname)
    return isView ? ASSETS.fetch(new Request(new URL('/console/', request.url), request)) : file
  },
} satisfies ExportedHandler<Cloudflare.ConsoleEnv>
