import { createApp } from '../../lib/http/app.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

const app = createApp({ routes, deps })

/** Leads visitors who know only the host to the console, and software to our catalog (ARD, section 5.1). */
app.get('/', (c) => c.body(null, 302, { location: '/console/', link: '</.well-known/ard.json>; rel="ard"' }))

/** Other crawlers than those of catalogs would read page after page, and keep the database awake. */
const ROBOTS = `# Pages, catalogs and cards may be read by any software. The rest is an API: most calls wake its database.
User-agent: *
Allow: /v1/docs
Allow: /v1/openapi.json
Allow: /v1/ard/
Allow: /v1/cards/
Allow: /v1/*/agent-card.json
Allow: /v1/*/mcp-server-card
Disallow: /v1/
`

app.get('/robots.txt', (c) =>
  c.body(ROBOTS, 200, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=86400',
  }),
)

export default app
