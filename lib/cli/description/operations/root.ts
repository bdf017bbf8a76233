import { Problem } from '../../../../schema/wire/problem.ts'
import { ApiInfo } from '../../../../schema/wire/root.ts'
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
    },
  },
}
