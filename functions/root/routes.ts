import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { limitByAddress } from '../../lib/http/rate-limit.ts'
import { query } from '../../lib/http/validate.ts'
import { health } from '../../lib/root/health.ts'
import { apiInfo } from '../../lib/root/info.ts'
import { HealthQuery } from '../../schema/wire/health.ts'
import type { Deps } from './deps.ts'

/** Lets the reference show itself and load nothing at all. */
const REFERENCE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

export function routes(app: App<Cloudflare.RootEnv, Deps>) {
  const publicLimit = limitByAddress('READ_LIMIT')

  for (const path of ['/v1', '/v1/']) app.get(path, publicLimit, publicRead, () => json(apiInfo))

  app.get('/v1/health', publicLimit, query(HealthQuery), async (c) =>
    json(await health(c.var.deps, c.req.valid('query'))),
  )

  app.get('/v1/openapi.json', publicLimit, publicRead, (c) =>
    asset(c.var.deps, c.req.url, '/v1/openapi.json'),
  )

  app.get('/v1/docs', publicLimit, publicRead, async (c) => {
    const page = await asset(c.var.deps, c.req.url, '/v1/docs.html')
    page.headers.set('content-security-policy', REFERENCE_POLICY)
    return page
  })
}

/** A built file, without the asset server's own cache headers. */
async function asset(deps: Deps, requestUrl: string, path: string): Promise<Response> {
  const file = await deps.assets.fetch(new URL(path, requestUrl))
  return new Response(file.body, {
    status: file.status,
    headers: { 'content-type': file.headers.get('content-type') ?? 'application/octet-stream' },
  })
}
