import * as v from 'valibot'
import { logins } from '../../../schema/rights.ts'
import {
  EngineUnavailable,
  ISOLATION_LEVELS,
  type IsolationLevel,
  SQL_ERROR_FIELDS,
  type SqlEngine,
  SqlError,
  type Statement,
  type StatementResult,
  type TransactionOptions,
} from '../../migrations/protocol.ts'

/**
 * Makes a fetch handler that answers POST /sql like Neon's SQL-over-HTTP proxy. It accepts `{query, params}`
 * or `{queries}` of the unmodified `@neondatabase/serverless` 1.2, and answers rows of raw text. A SQL error
 * is a 400 with Postgres' error fields at top level, as the driver expects. For an unreachable database see
 * {@link proxyError}. A login of schema/rights.ts has the rights of its group, with any password. All other
 * users are the owner.
 */
export function neonHandler(engine: SqlEngine): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== '/sql') return refusal(404, 'Only /sql is served here')
    if (request.method !== 'POST') return refusal(405, 'Only POST is served here', { allow: 'POST' })
    try {
      const { statements, transaction } = await readSqlRequest(request)
      const results = await engine.run(statements, transaction, loginOf(request.headers))
      const [first, ...rest] = results.map(view)
      return Response.json(transaction ? { results: first ? [first, ...rest] : [] } : first)
    } catch (error) {
      return refusalOf(error)
    }
  }
}

function view({ command, rowCount, fields, rows }: StatementResult) {
  return { command, rowCount, rowAsArray: true, fields, rows }
}

function refusalOf(error: unknown): Response {
  if (error instanceof SqlError)
    return Response.json({ message: error.message, ...error.fields }, { status: 400 })
  if (error instanceof MalformedRequest) return refusal(400, error.message)
  if (error instanceof EngineUnavailable)
    return error.wasLost
      ? proxyError(400, `connection closed: ${error.message}`)
      : proxyError(500, `Couldn't connect to compute node: ${error.message}`)
  console.error(error)
  return refusal(500, 'Internal error')
}

/**
 * Answers like the proxy without an answer of Postgres: all fields, with an empty SQLSTATE
 * (proxy/src/serverless/sql_over_http.rs). The status is 400 if the connection was lost during a statement,
 * and 500 if there was no connection.
 */
export const proxyError = (status: 400 | 500, message: string): Response => {
  const fields = Object.fromEntries(SQL_ERROR_FIELDS.map((name) => [name, null]))
  return Response.json({ ...fields, message, code: '', severity: '' }, { status })
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers })
}

/** A request that the Neon driver would not send; the message says why. */
class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
}

/** A parsed request, with options if and only if the driver asked for a transaction. */
interface SqlRequest {
  statements: Statement[]
  transaction?: TransactionOptions
}

const STATEMENT = v.object({
  query: v.string(),
  params: v.optional(v.array(v.nullable(v.string())), []),
})
const BATCH = v.object({ queries: v.array(STATEMENT) })

/**
 * Reads a request of `@neondatabase/serverless` 1.2 to /sql.
 * @throws {MalformedRequest} if the body or a header has another shape
 */
async function readSqlRequest(request: Request): Promise<SqlRequest> {
  requireDriver(request.headers)
  const body = await request.json().catch(() => {
    throw new MalformedRequest('The body is not JSON')
  })
  if (typeof body === 'object' && body !== null && 'queries' in body) {
    return { statements: parse(BATCH, body).queries, transaction: readTransaction(request.headers) }
  }
  return { statements: [parse(STATEMENT, body)] }
}

function requireDriver(headers: Headers): void {
  // The real proxy needs it to find the database. Here it also keeps foreign web pages out: a browser sends a
  // custom header only after a preflight, which is never granted.
  if (!URL.canParse(headers.get('Neon-Connection-String') ?? '')) {
    throw new MalformedRequest('The header Neon-Connection-String has no URL')
  }
  for (const name of ['Neon-Raw-Text-Output', 'Neon-Array-Mode']) {
    if (readFlag(headers, name) === false) throw new MalformedRequest(`${name}: false is not supported here`)
  }
}

/** Returns the login in a Worker's connection string. */
function loginOf(headers: Headers): string | undefined {
  const { username } = new URL(headers.get('Neon-Connection-String') ?? '')
  return logins.includes(username) ? username : undefined
}

function readTransaction(headers: Headers): TransactionOptions {
  const isolationLevel = headers.get('Neon-Batch-Isolation-Level')
  const readOnly = readFlag(headers, 'Neon-Batch-Read-Only')
  const deferrable = readFlag(headers, 'Neon-Batch-Deferrable')
  if (isolationLevel !== null && !isIsolationLevel(isolationLevel)) {
    throw new MalformedRequest(
      `Neon-Batch-Isolation-Level must be one of ${Object.keys(ISOLATION_LEVELS).join(', ')}`,
    )
  }
  return {
    ...(isolationLevel !== null && { isolationLevel }),
    ...(readOnly !== undefined && { readOnly }),
    ...(deferrable !== undefined && { deferrable }),
  }
}

function isIsolationLevel(value: string): value is IsolationLevel {
  return Object.hasOwn(ISOLATION_LEVELS, value)
}

function readFlag(headers: Headers, name: string): boolean | undefined {
  const value = headers.get(name)
  if (value === null) return undefined
  if (value !== 'true' && value !== 'false') throw new MalformedRequest(`${name} must be true or false`)
  return value === 'true'
}

function parse<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, body)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new MalformedRequest(`${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
}
