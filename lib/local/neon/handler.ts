import {
  EngineUnavailable,
  SQL_ERROR_FIELDS,
  type SqlEngine,
  SqlError,
  type StatementResult,
} from './protocol.ts'
import { MalformedRequest, readSqlRequest } from './request.ts'

/**
 * A fetch handler that answers POST /sql as Neon's SQL-over-HTTP proxy answers the unmodified
 * `@neondatabase/serverless` 1.2: `{query, params}` or `{queries}` in, rows of raw text out. A SQL error is a
 * 400 with Postgres' error fields at top level, as the driver expects; for an unreachable database see
 * {@link proxyError}.
 */
export function neonHandler(engine: SqlEngine): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== '/sql') return refusal(404, 'Only /sql is served here')
    if (request.method !== 'POST') return refusal(405, 'Only POST is served here', { allow: 'POST' })
    try {
      const { statements, transaction } = await readSqlRequest(request)
      const [first, ...rest] = (await engine.run(statements, transaction)).map(view)
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
 * Answers as the proxy does when Postgres has said nothing: its fields are all there, the SQLSTATE empty
 * (proxy/src/serverless/sql_over_http.rs). The status is 400 where the connection was lost while a statement
 * ran, and 500 where there was none.
 */
export const proxyError = (status: 400 | 500, message: string): Response => {
  const fields = Object.fromEntries(SQL_ERROR_FIELDS.map((name) => [name, null]))
  return Response.json({ ...fields, message, code: '', severity: '' }, { status })
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers })
}
