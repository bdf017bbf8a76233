import { Health } from '../../../schema/wire/health.ts'
import { Problem } from '../../../schema/wire/problem.ts'
import { ApiInfo } from '../../../schema/wire/root.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Service' as const

export const operations: Operations = {
  'GET /': {
    id: 'getApiInfo',
    tag,
    summary: 'Name, version, status and endpoints',
    description: 'Answers with and without the trailing slash.',
    responses: {
      200: {
        description: 'The service.',
        schema: 'ApiInfo',
        example: {
          name: 'AgentCred',
          version: '1.0.0',
          status: 'operational',
          endpoints: ['GET /', 'GET /agents'],
        },
      },
    },
    errors: [],
  },
  'GET /health': {
    id: 'getHealth',
    tag,
    summary: 'Whether the service is well',
    description:
      'Without `deep` it says that the service runs, and asks nothing else. With `deep=1` it asks the database, KV and the RPC node at the same time, each for at most three seconds; when one is down the error carries `checks`, too. Never cached.',
    parameters: {
      deep: { description: '`1` to ask the systems behind the service.', example: '1' },
    },
    responses: {
      200: {
        description: 'The service is well.',
        schema: 'Health',
        example: {
          status: 'ok',
          checks: {
            database: { status: 'up', latencyMs: 12 },
            kv: { status: 'up', latencyMs: 4 },
            rpc: { status: 'up', latencyMs: 38 },
          },
        },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'GET /openapi.json': {
    id: 'getOpenApi',
    tag,
    summary: 'This description',
    description: 'OpenAPI 3.1, one document for all Workers.',
    responses: { 200: { description: 'The document.', mediaType: 'application/json' } },
    errors: [],
  },
  'GET /docs': {
    id: 'getReference',
    tag,
    summary: 'This description, to read',
    description: 'One HTML page that loads nothing else.',
    responses: { 200: { description: 'The page.', mediaType: 'text/html' } },
    errors: [],
  },
}

export const components: Components = {
  ApiInfo: {
    schema: ApiInfo,
    description: 'What answers at the base address.',
    fields: {
      name: 'Name of the service.',
      version: 'Version of the API description.',
      status: '`operational`.',
      endpoints: 'Method and path of every endpoint, below the base address.',
    },
  },
  Health: {
    schema: Health,
    description: 'The service is well, and with `deep=1` so is everything behind it.',
    fields: {
      status: '`ok`.',
      checks: 'With `deep=1`: of each system, whether it is up and how long its answer took.',
    },
  },
  Problem: {
    schema: Problem,
    description: 'The body of every error (RFC 9457), sent as application/json.',
    fields: {
      type: 'Where this error is explained.',
      title: 'The kind of error, the same for every occurrence.',
      status: 'The HTTP status.',
      detail: 'What went wrong this time, for a person.',
      code: 'The error code, for a program.',
      requestId: 'Identifies the request; also in X-Request-Id.',
      errors: 'Each refused field: a dotted path and what is wrong with it.',
      checks: 'Of GET /health?deep=1: of each system whether it is up, and how long it was waited for.',
    },
  },
}
