import pg from 'pg'
import { errorCode } from '../tools/error-code.ts'
import {
  EngineUnavailable,
  NO_COPY,
  readTag,
  runStatements,
  type SqlDatabase,
  SqlError,
  type Statement,
  type StatementResult,
} from './protocol.ts'

/** Long, since hundreds of concurrent requests may wait for ten connections on a busy machine. */
const CONNECT_TIMEOUT_MS = 60_000

/**
 * Opens a pool of connections to a real Postgres, and one for each login, whose sessions begin with the
 * login's role. The first statement connects, so a wrong URL fails there.
 * @param url postgres://user:password@host:port/database, with pg's query parameters, such as sslmode
 */
export async function openPostgres(url: string): Promise<SqlDatabase> {
  const pools = new Map<string | undefined, pg.Pool>()
  const poolOf = (login?: string): pg.Pool => {
    const pool = pools.get(login) ?? openPool(url, login)
    pools.set(login, pool)
    return pool
  }
  const owners = poolOf()

  const inSession = async <T>(work: (client: pg.PoolClient) => Promise<T>, pool = owners): Promise<T> => {
    const client = await pool.connect().catch((cause) => {
      throw new EngineUnavailable(errorCode(cause), { wasLost: false, cause })
    })
    try {
      const result = await work(client)
      client.release(client.getTransactionStatus() === 'I' ? undefined : await rollBack(client))
      return result
    } catch (cause) {
      if (cause instanceof pg.DatabaseError) {
        client.release(endsSession(cause) ? cause : await rollBack(client))
        throw SqlError.from(cause)
      }
      const lost = new EngineUnavailable(errorCode(cause), { wasLost: true, cause })
      client.release(lost)
      throw lost
    }
  }

  return {
    run: (statements, transaction, login) =>
      inSession(
        (client) => runStatements((all) => execute(client, all), statements, transaction),
        poolOf(login),
      ),
    execScript: (script) =>
      inSession(async (client) => {
        await client.query(script)
      }),
    session: (work) =>
      inSession((client) =>
        work(async (query) => (await execute(client, [{ query, params: [] }]))[0]?.rows ?? []),
      ),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

/**
 * Makes the driver's treatment of sslmode explicit in a connection string. It verifies the server's
 * certificate and name with `prefer`, `require` (Neon's) and `verify-ca`, and warns that its next version
 * won't.
 */
export const verifiedUrl = (url: string): string =>
  url.includes('uselibpqcompat=')
    ? url
    : url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full')

function openPool(url: string, login?: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: verifiedUrl(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(login === undefined ? {} : { options: `-c role=${login}` }),
  })
  // The query reports a lost connection. Without listeners these two events would end the process: the pool's
  // for idle clients, and a client's in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Members of a connection that pg's types leave out. */
type Connection = {
  stream: { cork(): void; uncork(): void }
  parse(message: { text: string }): void
  bind(message: { values: (string | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(message: object): void
  sendCopyFail(message: string): void
  sync(): void
}

type Settle = { resolve(results: StatementResult[]): void; reject(error: Error): void }

/**
 * Sends statements of the extended protocol in one write with one Sync. After a failure Postgres skips the
 * rest. To wait for each would cost both processes more than most statements.
 */
class Batch implements pg.Submittable {
  readonly #statements: Statement[]
  readonly #settle: Settle
  readonly #results: StatementResult[] = []
  #result = noResult()

  constructor(statements: Statement[], settle: Settle) {
    this.#statements = statements
    this.#settle = settle
  }

  submit(pgConnection: pg.Connection): void {
    const connection = pgConnection as unknown as Connection
    connection.stream.cork()
    for (const { query, params } of this.#statements) {
      connection.parse({ text: query })
      connection.bind({ values: params })
      connection.describe({ type: 'P' })
      connection.execute({})
      connection.sendCopyFail(NO_COPY)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#result.fields = fields.map(view)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#result.rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push(Object.assign(this.#result, readTag(text)))
    this.#result = noResult()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#results)
  }

  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

const noResult = (): StatementResult => ({ command: '', rowCount: null, fields: [], rows: [] })

const execute = (client: pg.PoolClient, statements: Statement[]): Promise<StatementResult[]> =>
  new Promise((resolve, reject) => client.query(new Batch(statements, { resolve, reject })))

/**
 * Ends a session's transaction. @returns an error if the session can't be used again. After a failed
 * statement it is needed in any transaction state that pg reports, since pg reports the failure before it
 * reads the new state.
 */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (error) => error,
  )
}

function view(field: pg.FieldDef): pg.FieldDef {
  const { name, dataTypeID, tableID, columnID, dataTypeSize, dataTypeModifier, format } = field
  return { name, dataTypeID, tableID, columnID, dataTypeSize, dataTypeModifier, format }
}

/**
 * Returns whether the server ended the session or shuts down (class 57P, operator intervention). The
 * statement did not cause this.
 */
function endsSession(error: pg.DatabaseError): boolean {
  return error.code?.startsWith('57P') ?? false
}
