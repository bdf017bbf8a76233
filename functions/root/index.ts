import { ApiError } from '../../lib/api-error.ts'
import { createApp } from '../../lib/http/app.ts'
import { deps, isOffered } from './deps.ts'
import { isNavigation, presentUrl, redirectTo, withCanonical } from './former.ts'
import { bindingFor } from './gateway.ts'
import { referenceFile } from './reference.ts'
import { routes } from './routes.ts'
import { workersHealth } from './workers.ts'

const app = createApp({ routes, deps })

/** Leads visitors who know only the host to the console, and software to our catalog (ARD, section 5.1). */
app.get('/', (c) => c.body(null, 302, { location: '/console/', link: '</.well-known/ard.json>; rel="ard"' }))

/** Keeps out crawlers that read page after page, since they would keep the database awake. */
const robots = (
  origin: string,
) => `# Pages, catalogs and cards may be read by any software. The rest is an API: most calls wake its database.
User-agent: *
Allow: /v1/docs
Allow: /v1/openapi.json
Allow: /v1/openapi-3.0.json
Allow: /v1/ard/
Allow: /v1/cards/
Allow: /v1/x402/discovery/
Allow: /v1/*/agent-card.json
Allow: /v1/*/mcp-server-card
Disallow: /v1/
Sitemap: ${origin}/console/sitemap.xml
`

app.get('/robots.txt', (c) =>
  c.body(robots(c.env.API_ORIGIN), 200, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=86400',
  }),
)

/** Answers an upgrade: the version of each Worker that answers, and its health. */
app.get('/v1/health/workers', async (c) =>
  c.json({ workers: await workersHealth(c.env, c.var.deps, c.req.raw.headers) }),
)

/** The reference's other files: the page of its schemas, both pages as Markdown, scripts, llms.txt. */
const BESIDE_REFERENCE = {
  '/v1/docs/schemas': '/v1/docs/schemas.html',
  '/v1/docs.md': '/v1/docs.md',
  '/v1/docs/schemas.md': '/v1/docs/schemas.md',
  '/v1/docs/filter.js': '/v1/docs/filter.js',
  '/v1/docs/tabs.js': '/v1/docs/tabs.js',
  '/llms.txt': '/llms.txt',
}

for (const [path, file] of Object.entries(BESIDE_REFERENCE))
  app.get(path, (c) => referenceFile(c.env.ASSETS, c.req.url, file))

/** Answers the other paths: unknown paths, and paths of a Worker that is not in this deployment. */
app.all('*', (c) => {
  const { path } = c.req
  if (!isOffered(c.env, path)) throw new ApiError('not_offered', `This deployment does not offer ${path}.`)
  return c.notFound()
})

export default {
  async fetch(request, env, ctx) {
    const present = presentUrl(request, env)
    if (present === undefined) return answer(request, env, ctx)
    return isNavigation(request)
      ? redirectTo(present)
      : withCanonical(await answer(request, env, ctx), present)
  },
} satisfies ExportedHandler<Cloudflare.RootEnv>

function answer(request: Request, env: Cloudflare.RootEnv, ctx: ExecutionContext) {
  const binding = bindingFor(new URL(request.url).pathname, env.GATEWAY)
  if (binding === undefined) return app.fetch(request, env, ctx)
  // wrangler's types know the bindings of wrangler.toml; these are the deployment's
  // (lib/cli/deploy/config.ts).
  const worker: Fetcher = Reflect.get(env, binding)
  return worker.fetch(request)
}
