import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { limitByAddress } from '../../lib/http/rate-limit.ts'
import { protocolStats } from '../../lib/marketplace/stats.ts'
import { statsView } from '../../lib/marketplace/views.ts'
import type { Deps } from './deps.ts'

/**
 * For an edge cache, if the operator has one in front; every other client asks each time. A cache that keeps to
 * the letter would let no-cache win over s-maxage, hence the header that speaks to it alone (RFC 9213).
 */
const EDGE_CACHING = {
  'cache-control': 'no-cache, s-maxage=15, stale-while-revalidate=60',
  'cdn-cache-control': 'max-age=15, stale-while-revalidate=60',
}

export function routes(app: App<Cloudflare.MarketplaceEnv, Deps>) {
  app.get('/v1/marketplace/stats', limitByAddress('READ_LIMIT'), publicRead, async (c) =>
    json(statsView(await protocolStats(c.var.deps)), 200, EDGE_CACHING),
  )
}
