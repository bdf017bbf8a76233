import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { ErrorCode } from '../../schema/error-codes.ts'
import { problems } from '../http/problems.ts'
import { apiInfo } from '../root/info.ts'
import { errorMeanings } from './errors.ts'
import * as agents from './operations/agents.ts'
import * as auth from './operations/auth.ts'
import * as events from './operations/events.ts'
import * as marketplace from './operations/marketplace.ts'
import * as pioneer from './operations/pioneer.ts'
import * as registry from './operations/registry.ts'
import * as reputation from './operations/reputation.ts'
import * as root from './operations/root.ts'
import * as vault from './operations/vault.ts'
import { type Route, readRoutes } from './routes.ts'
import type { Components, OperationDoc, Operations, SuccessDoc } from './types.ts'
import { webhooksSection } from './webhooks.ts'

const groups = [root, auth, agents, vault, reputation, pioneer, marketplace, registry, events]
const operations: Operations = Object.assign({}, ...groups.map((group) => group.operations))
export const components: Components = Object.assign({}, ...groups.map((group) => group.components))

const tags = {
  Service: 'What the service is and how to call it.',
  Authentication: 'Wallet login and session tokens.',
  Events: 'What has happened: your log, webhooks and their deliveries.',
  Marketplace: 'Agents and hires.',
  Pioneers: 'Early adopters, who join by invite code.',
  Reputation: 'Standing of wallets, their credentials, and the oracle that checks them.',
  Registry: 'Agents that register themselves by signature, without a session.',
  Statistics: 'The protocol as a whole.',
  Vault: 'Stakes in escrow, their yield, and the transactions that move them.',
} satisfies Record<OperationDoc['tag'], string>

type Json = Record<string, unknown>

/**
 * The OpenAPI 3.1 document of all Workers: paths, parameters, bodies and guards from the routes, schemas from
 * schema/wire, words and examples from ./operations.
 * @throws Error that names a route without documentation, or documentation without a route
 */
export async function buildDocument(): Promise<Json> {
  const routes = await readRoutes()
  const keys = routes.map(keyOf)
  const stray = Object.keys(operations).filter((key) => !keys.includes(key))
  if (stray.length > 0) throw new Error(`documented but not routed: ${stray.join(', ')}`)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: apiInfo.name,
      version: apiInfo.version,
      summary: 'Hire autonomous software agents with a wallet and nothing else.',
      description:
        'Log in by signing a challenge, then browse, register and hire agents. Bodies are application/json both ways; unknown body fields are refused, unknown query parameters ignored, absent values omitted. Amounts are exact integers and may exceed 2^53. Times are RFC 3339 in UTC. Clients must tolerate fields that they do not know.',
    },
    servers: [{ url: '/v1', description: 'The base address carries the version.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksSection(),
    components: {
      schemas: componentSchemas(
        new Set(routes.flatMap(({ inputs }) => inputs.map(({ schema }) => nameOf(schema) ?? ''))),
      ),
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The session token of POST /auth/handshake.',
        },
      },
    },
  }
}

const keyOf = (route: Route) => `${route.method} ${route.path}`

function operation(route: Route): Json {
  const doc = operations[keyOf(route)]
  if (!doc) throw new Error(`not documented: ${keyOf(route)}`)
  const body = route.inputs.find(({ target }) => target === 'json')
  return {
    operationId: doc.id,
    tags: [doc.tag],
    summary: doc.summary,
    description:
      doc.description + (typeof route.guard === 'string' ? ` Needs the permission ${route.guard}.` : ''),
    security: route.guard === undefined ? [] : [{ session: [] }],
    ...(route.inputs.some(({ target }) => target !== 'json') ? { parameters: parametersOf(route, doc) } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(body.schema), example: doc.request } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(doc.responses).map(([status, success]) => [status, successOf(success)]),
      ),
      ...(route.conditional ? { 304: { description: 'Unchanged since the ETag in If-None-Match.' } } : {}),
      ...errorResponses(errorsOf(route, doc)),
    },
  }
}

/** A route's own refusals, and those that its validators, guard, limiter and Worker bring along. */
function errorsOf(route: Route, doc: OperationDoc): ErrorCode[] {
  const hasBody = route.inputs.some(({ target }) => target === 'json')
  return [
    ...(route.inputs.length > 0 ? (['invalid_request'] as const) : []),
    ...(hasBody ? (['malformed_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(route.guard === undefined ? [] : (['token_missing', 'token_invalid'] as const)),
    ...(typeof route.guard === 'string' ? (['permission_missing'] as const) : []),
    ...doc.errors,
    ...(route.limited ? (['rate_limited'] as const) : []),
    'internal_error',
  ]
}

function errorResponses(codes: ErrorCode[]): Json {
  const byStatus = Map.groupBy([...new Set(codes)], (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('\n\n'),
        headers: errorHeaders(status),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(group.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  )
}

function errorHeaders(status: number): Json {
  const names: Record<number, string[]> = {
    401: ['WWW-Authenticate'],
    403: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit-Policy'],
    503: ['Retry-After'],
  }
  return Object.fromEntries(
    ['X-Request-Id', ...(names[status] ?? [])].map((name) => [name, { schema: { type: 'string' } }]),
  )
}

const problemExample = (code: ErrorCode) => ({
  type: `https://api.agentcred.example/v1/docs#error-${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: `${problems[code].title}.`,
  code,
  requestId: 'b0f1a2c3-d4e5-4f60-8172-93a4b5c6d7e8',
})

const successOf = (success: SuccessDoc): Json => ({
  description: success.description,
  headers: Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'Identifies the request.', ...success.headers }).map(
      ([name, description]) => [name, { description, schema: { type: 'string' } }],
    ),
  ),
  content: {
    [success.mediaType ?? 'application/json']:
      success.schema === undefined
        ? { schema: { type: success.mediaType === 'text/html' ? 'string' : 'object' } }
        : { schema: { $ref: `#/components/schemas/${success.schema}` }, example: success.example },
  },
})

function parametersOf(route: Route, doc: OperationDoc): Json[] {
  return route.inputs.flatMap(({ target, schema }) => {
    if (target === 'json') return []
    const { properties = {}, required = [] } = toJsonSchema(schema, conversion)
    const { entries } = schema as unknown as { entries: Record<string, Step> }
    return Object.entries(properties).map(([name, property]) => {
      const words = doc.parameters?.[name]
      if (!words) throw new Error(`${keyOf(route)}: the parameter ${name} is not documented`)
      return {
        name,
        in: target === 'param' ? 'path' : 'query',
        required: required.includes(name),
        description: words.description,
        schema: numberInText(entries[name] ?? { type: 'unknown' }) ?? property,
        ...(words.example === undefined ? {} : { example: words.example }),
      }
    })
  })
}

function componentSchemas(bodies: Set<string>): Json {
  const schemas = toJsonSchemaDefs(
    Object.fromEntries(Object.entries(components).map(([name, { schema }]) => [name, schema])),
    conversion,
  )
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { description, fields }: Pick<Components[string], 'description' | 'fields'> = components[
        name
      ] ?? {
        description: '',
        fields: {},
      }
      const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => {
        const meaning = fields[field]
        if (meaning === undefined) throw new Error(`${name}.${field} is not documented`)
        return [field, { ...(property as object), description: meaning }]
      })
      const { $schema: _, additionalProperties, ...rest } = schema
      return [
        name,
        {
          ...rest,
          description,
          properties: Object.fromEntries(properties),
          // A request is closed; an answer may gain fields.
          ...(bodies.has(name) ? { additionalProperties } : {}),
        },
      ]
    }),
  )
}

function reference(schema: GenericSchema): Json {
  const name = nameOf(schema)
  if (name === undefined) throw new Error('a request body is not among the components')
  return { $ref: `#/components/schemas/${name}` }
}

const nameOf = (schema: GenericSchema) =>
  Object.keys(components).find((name) => components[name]?.schema === schema)

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown }
    if (type === 'min_code_points') return { ...jsonSchema, minLength: Number(requirement) }
    if (type === 'max_code_points') return { ...jsonSchema, maxLength: Number(requirement) }
    return type === 'safe_integer' ? { ...jsonSchema, type: 'integer' } : undefined
  },
}

type Step = { type: string; requirement?: unknown; pipe?: Step[]; wrapped?: Step; default?: unknown }

/** A query parameter that is parsed from digits is an integer to the reader, with the bounds set after parsing. */
function numberInText(schema: Step): Json | undefined {
  const steps = flatten(schema.wrapped ?? schema)
  const bound = (type: string) => steps.find((step) => step.type === type)?.requirement
  if (bound('min_value') === undefined) return undefined
  return {
    type: 'integer',
    minimum: bound('min_value'),
    ...(bound('max_value') === Number.MAX_SAFE_INTEGER ? {} : { maximum: bound('max_value') }),
    ...(schema.default === undefined ? {} : { default: Number(schema.default) }),
  }
}

const flatten = (step: Step): Step[] =>
  step.pipe?.flatMap((inner) => (inner.pipe ? flatten(inner) : [inner])) ?? [step]
