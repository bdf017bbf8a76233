import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { statsHistory } from '../../lib/marketplace/history.ts'
import { historyView, protocolStats, statsView } from '../../lib/marketplace/stats.ts'
import { ProtocolStats, StatsHistory, StatsHistoryQuery } from '../../schema/wire/marketplace.ts'
import type { Deps } from './deps.ts'

/**
 * For an edge cache, if the operator has one in front; every other client asks each time. A cache that keeps
 * to the letter would let no-cache win over s-maxage, hence the header that speaks to it alone (RFC 9213).
 */
const EDGE_CACHING = {
  'cache-control': 'no-cache, s-maxage=15, stale-while-revalidate=60',
  'cdn-cache-control': 'max-age=15, stale-while-revalidate=60',
}

const EDGE_HEADERS = {
  'CDN-Cache-Control': 'How long an edge cache, if the operator has one, may answer by itself.',
}

const operation = operationFor<Cloudflare.MarketplaceEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/marketplace/stats',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getProtocolStats',
      summary: 'Read the protocol’s statistics',
      description: 'Exact figures, all from the same moment.',
      answers: {
        200: {
          description: 'The figures.',
          schema: ProtocolStats,
          headers: EDGE_HEADERS,
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps }) => json(statsView(await protocolStats(deps)), 200, EDGE_CACHING),
  }),
  operation({
    method: 'GET',
    path: '/marketplace/stats/history',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: StatsHistoryQuery,
    docs: {
      id: 'getStatsHistory',
      summary: 'Read the statistics, day by day',
      description: 'The figures soon after the start of each day (UTC). A recorded day never changes.',
      answers: { 200: { description: 'The days.', schema: StatsHistory, headers: EDGE_HEADERS } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query }) =>
      json(historyView(await statsHistory(deps, query.days)), 200, EDGE_CACHING),
  }),
]
