import * as v from 'valibot'
import { ISOLATION_LEVELS, type IsolationLevel, type Statement, type TransactionOptions } from './protocol.ts'

/** The request is not one that the Neon driver sends; the message says why. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
}

/** A parsed request: options are there exactly when the driver asked for a transaction. */
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
 * Reads what `@neondatabase/serverless` 1.2 sends to /sql.
 * @throws {MalformedRequest} the body or a header has another shape
 */
export async function readSqlRequest(request: Request): Promise<SqlRequest> {
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
  if (!headers.has('neon-connection-string')) {
    throw new MalformedRequest('The header Neon-Connection-String is missing')
  }
  for (const name of ['Neon-Raw-Text-Output', 'Neon-Array-Mode']) {
    if (readFlag(headers, name) === false) throw new MalformedRequest(`${name}: false is not supported here`)
  }
}

function readTransaction(headers: Headers): TransactionOptions {
  const isolationLevel = headers.get('Neon-Batch-Isolation-Level')
  const readOnly = readFlag(headers, 'Neon-Batch-Read-Only')
  const deferrable = readFlag(headers, 'Neon-Batch-Deferrable')
  if (isolationLevel !== null && !isIsolationLevel(isolationLevel)) {
    throw new MalformedRequest(
      `Neon-Batch-Isolation-Level is none of ${Object.keys(ISOLATION_LEVELS).join(', ')}`,
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
  if (value !== 'true' && value !== 'false') throw new MalformedRequest(`${name} is neither true nor false`)
  return value === 'true'
}

function parse<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, body)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new MalformedRequest(`${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
}
