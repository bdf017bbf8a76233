import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRoutes } from '../../lib/tools/description/routes.ts'
import { writeFacilitatorKey } from '../../lib/x402/keys/facilitator-key.ts'
import { AGENT_ID } from '../../schema/examples.ts'
import { type Service, startService } from '../support/service.ts'

/** Every route that needs no session. A route that is not on this list must answer 401 without a token. */
const PUBLIC_ROUTES = [
  'GET /',
  'GET /.well-known/ai-catalog.json',
  'GET /.well-known/ard.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource/v1/mcp',
  'GET /.well-known/oauth-protected-resource/v1/mcp/wallet',
  'GET /agents',
  'GET /agents/{id}',
  'GET /agents/{id}/agent-card.json',
  'GET /agents/{id}/history',
  'GET /agents/{id}/mcp-server-card',
  'GET /ard/agents',
  'GET /ard/agents/{identifier}',
  'GET /auth/handshake',
  'GET /auth/jwks.json',
  'GET /cards/jwks.json',
  'GET /docs',
  'GET /events/keys',
  'GET /events/keys.jwks.json',
  'GET /health',
  'GET /marketplace/stats',
  'GET /marketplace/stats/history',
  'GET /mcp/server-card',
  'GET /oauth/request',
  'GET /openapi-3.0.json',
  'GET /openapi.json',
  'GET /payments/deployment',
  'GET /payments/transactions/{id}',
  'GET /pioneer',
  'GET /registry/agents',
  'GET /registry/agents/{pubkey}',
  'GET /registry/agents/{pubkey}/agent-card.json',
  'GET /registry/agents/{pubkey}/mcp-server-card',
  'GET /registry/catalog',
  'GET /reputation',
  'GET /reputation/ratings',
  'GET /reputation/rules',
  'GET /reputation/verify',
  'GET /vault',
  'GET /vault/quote',
  'GET /vault/terms',
  'GET /vault/transactions/{id}',
  'GET /x402/agents/{id}',
  'GET /x402/discovery/resources',
  'GET /x402/discovery/search',
  'GET /x402/k/{key}/discovery/resources',
  'GET /x402/k/{key}/discovery/search',
  'GET /x402/k/{key}/supported',
  'POST /ard/explore',
  'POST /ard/search',
  'POST /auth/handshake',
  'POST /mcp',
  'POST /oauth/challenge',
  'POST /oauth/consent',
  'POST /oauth/grants',
  'POST /oauth/grants/challenge',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /pioneer',
  'POST /registry/agents',
  'POST /registry/message',
  'POST /x402/k/{key}/settle',
  'POST /x402/k/{key}/verify',
]

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it('answers 401 without a token on every route that is not listed as public', async () => {
  const routes = await readRoutes()
  const key = await writeFacilitatorKey(service.solana.bindings.X402_KEY_SECRET, {
    agentId: AGENT_ID,
    keyVersion: 1,
  })
  const answered = await Promise.all(
    routes.map(async ({ method, path }) => {
      const concrete = path
        .replace('{id}', AGENT_ID)
        .replace('{key}', key)
        .replace('{pubkey}', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
      const { status } = await service.call(method, concrete === '/' ? '' : concrete)
      return { route: `${method} ${path}`, status }
    }),
  )
  const open = answered.filter(({ status }) => status !== 401).map(({ route }) => route)
  expect([...new Set(open)].sort()).toEqual(PUBLIC_ROUTES)
  // These are refused before it could be asked who calls: their body is missing.
  const writes = answered.filter(({ route }) => PUBLIC_ROUTES.includes(route) && route.startsWith('POST '))
  expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([415]))
  expect(routes.length).toBeGreaterThan(PUBLIC_ROUTES.length)
})

it('lists exactly the routes of the service', async () => {
  const routes = new Set((await readRoutes()).map(({ method, path }) => `${method} ${path}`))
  const { endpoints } = (await service.call('GET', '')).body as { endpoints: string[] }
  expect(endpoints.toSorted()).toEqual([...routes].sort())
})
