/** One SQL statement; parameters are in Postgres' text format, as the Neon driver prepares them. */
export interface Statement {
  query: string
  params: (string | null)[]
}

/** SQL spelling of the isolation levels; the keys are the only values the driver's header may have. */
export const ISOLATION_LEVELS = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
} as const

export type IsolationLevel = keyof typeof ISOLATION_LEVELS

/** The options of a batch's transaction. Absent ones have the session's defaults. */
export interface TransactionOptions {
  isolationLevel?: IsolationLevel
  readOnly?: boolean
  deferrable?: boolean
}

/** A column of a result, as in RowDescription. */
interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
  dataTypeSize: number
  dataTypeModifier: number
  format: string
}

/** The result of one statement: every value is the text that Postgres sent, unparsed. */
export interface StatementResult {
  /** First word of the command tag, such as INSERT; empty for an empty query. */
  command: string
  /** The command tag's count; null for commands that count nothing. */
  rowCount: number | null
  fields: Field[]
  rows: (string | null)[][]
}

/** A Postgres behind the Neon server. Concurrent calls are safe. */
export interface SqlEngine {
  /**
   * Runs statements. With transaction options, or more than one statement, all run in one transaction, which
   * is rolled back if one fails.
   * @param login the login whose rights apply; by default the owner. Its settings, such as time limits, only
   *   apply to a real login.
   * @throws {SqlError} if Postgres refuses a statement
   * @throws {EngineUnavailable} if Postgres is unreachable, or the connection is lost
   */
  run(statements: Statement[], transaction?: TransactionOptions, login?: string): Promise<StatementResult[]>
  /** Runs a script of several statements without parameters; ignores their results. */
  execScript?(script: string): Promise<void>
  close(): Promise<void>
}

/** An engine that also runs scripts: migrations, functions. */
export interface SqlDatabase extends SqlEngine {
  execScript(script: string): Promise<void>
  /** Reserves a session during the work, for statements outside of transactions. */
  session<T>(work: (query: (text: string) => Promise<StatementResult['rows']>) => Promise<T>): Promise<T>
}

/** The error fields that the Neon driver reads, besides the message. */
export const SQL_ERROR_FIELDS = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const

/** Postgres' error fields (PostgreSQL 18, section 54.8); a field that the server did not send is absent. */
type SqlErrorFields = Partial<Record<(typeof SQL_ERROR_FIELDS)[number], string>>

/** An error that Postgres reported about a statement. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly fields: SqlErrorFields

  constructor(message: string, fields: SqlErrorFields) {
    super(message)
    this.fields = fields
  }

  /** Makes one from a client library's error; pg and PGlite have the same field names. */
  static from(error: { message: string } & { [K in keyof SqlErrorFields]?: string | undefined }): SqlError {
    const sent = SQL_ERROR_FIELDS.flatMap((name) => {
      const value = error[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return new SqlError(error.message, Object.fromEntries(sent))
  }
}

/** Postgres is unreachable, or the connection is lost. The message names no host, user or password. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
  /** Whether statements had been sent, which may have run. */
  readonly wasLost: boolean

  /** @param reason a bare code such as ECONNREFUSED, if there is one */
  constructor(reason: string | undefined, { wasLost, cause }: { wasLost: boolean; cause: unknown }) {
    super(reason ? `Database unavailable (${reason})` : 'Database unavailable', { cause })
    this.wasLost = wasLost
  }
}

/**
 * Runs statements over one session, like {@link SqlEngine.run}. After an error the session may still be in
 * the failed transaction: only the engine knows whether it can run a ROLLBACK.
 * @param execute runs statements in order, up to the first failure
 */
export async function runStatements(
  execute: (statements: Statement[]) => Promise<StatementResult[]>,
  statements: Statement[],
  transaction: TransactionOptions | undefined,
): Promise<StatementResult[]> {
  if (!transaction && statements.length === 1) return execute(statements)
  const first = { query: begin(transaction ?? {}), params: [] }
  const results = await execute([first, ...statements, { query: 'COMMIT', params: [] }])
  return results.slice(1, -1)
}

function begin({ isolationLevel, readOnly, deferrable }: TransactionOptions): string {
  const modes = [
    isolationLevel && `ISOLATION LEVEL ${ISOLATION_LEVELS[isolationLevel]}`,
    readOnly !== undefined && (readOnly ? 'READ ONLY' : 'READ WRITE'),
    deferrable !== undefined && (deferrable ? 'DEFERRABLE' : 'NOT DEFERRABLE'),
  ]
  return `BEGIN ${modes.filter(Boolean).join(', ')}`.trim()
}

/** `INSERT 0 2`, `SELECT 3` and `CREATE TABLE` (PostgreSQL 18, section 54.7, CommandComplete). */
export function readTag(tag: string): Pick<StatementResult, 'command' | 'rowCount'> {
  const [command = '', ...rest] = tag.split(' ')
  const count = rest.at(-1)
  return { command, rowCount: count && /^\d+$/.test(count) ? Number(count) : null }
}

/** Ends a COPY FROM STDIN, which would wait for the rest of its message; ignored after anything else. */
export const NO_COPY = 'COPY FROM STDIN is not possible over HTTP'
