import { CHECKS_CACHED_SECONDS, checkAll, health, PROBE_TIMEOUT_MS } from '../../lib/http/health.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { rateLimits } from '../../lib/http/rate-limit.ts'
import { cachedFor } from '../../lib/runtime/cache.ts'
import { figure, span } from '../../schema/figures.ts'
import type { Wire } from '../../schema/wire/common.ts'
import { Health, type HealthChecks, HealthQuery } from '../../schema/wire/health.ts'
import { ApiInfo } from '../../schema/wire/root.ts'
import type { Deps } from './deps.ts'
import { asset, referenceFile } from './reference.ts'

const operation = operationFor<Cloudflare.RootEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getApiInfo',
      summary: 'Name, version, status and endpoints',
      description: 'Works with and without the trailing slash.',
      answers: {
        200: {
          description: 'The service.',
          schema: ApiInfo,
        },
      },
      errors: [],
    },
    handle: ({ deps, url }) => asset(deps.assets, url, '/v1/index.json'),
  }),
  operation({
    method: 'GET',
    path: '/health',
    access: 'public',
    limit: 'READ_LIMIT',
    query: HealthQuery,
    docs: {
      id: 'getHealth',
      summary: 'Check the service’s health',
      description: [
        'Without `deep` it answers that the service runs, without asking any other system.',
        `With \`deep=1\` it asks the database, KV and the RPC node at the same time, each for at most ${span(PROBE_TIMEOUT_MS, 'second')}; when one is down the error carries \`checks\`, too. What was found is told for ${figure(CHECKS_CACHED_SECONDS)} seconds, and an address may ask ${figure(rateLimits.HEALTH_LIMIT)} times a minute.`,
      ].join(' '),
      answers: {
        200: {
          description: 'The service is healthy.',
          schema: Health,
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query, headers }) =>
      json(healthView(await health(query, () => deepChecks(deps, headers)))),
  }),
  operation({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getOpenApi',
      summary: 'Read the API description',
      description: 'OpenAPI 3.1, one document for all Workers.',
      answers: {
        200: {
          description: 'The document.',
          mediaType: 'application/json',
          example: { openapi: '3.1.0', info: { title: 'AgentCred', version: '1.0.0' }, paths: {} },
        },
      },
      errors: [],
    },
    handle: ({ deps, url }) => asset(deps.assets, url, '/v1/openapi.json'),
  }),
  operation({
    method: 'GET',
    path: '/openapi-3.0.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getOpenApi30',
      summary: 'Read the API description as OpenAPI 3.0',
      description:
        'For generators that do not support 3.1. It lacks webhooks, and rules between fields that 3.0 cannot express.',
      answers: {
        200: {
          description: 'The document.',
          mediaType: 'application/json',
          example: { openapi: '3.0.3', info: { title: 'AgentCred', version: '1.0.0' }, paths: {} },
        },
      },
      errors: [],
    },
    handle: ({ deps, url }) => asset(deps.assets, url, '/v1/openapi-3.0.json'),
  }),
  operation({
    method: 'GET',
    path: '/docs',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getReference',
      summary: 'Read the API reference page',
      description: 'An HTML page. The schemas are on a page of their own.',
      answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
      errors: [],
    },
    handle: ({ deps, url }) => referenceFile(deps.assets, url, '/v1/docs.html'),
  }),
]

const cachedChecks = cachedFor<HealthChecks>(CHECKS_CACHED_SECONDS)

/** The deep checks that an address may ask for. */
async function deepChecks(deps: Deps, headers: Headers): Promise<HealthChecks> {
  await deps.limitDeepChecks(headers)
  return cachedChecks(deps.now, () => checkAll(deps))
}

/** Returns the answer of GET /health, with the checks only if they were asked for. */
const healthView = (health: { status: 'ok'; checks?: HealthChecks }): Wire<typeof Health> => ({
  status: health.status,
  checks: health.checks && { ...health.checks, rpc: health.checks.rpc },
})
