import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messages, PGlite, protocol } from '@electric-sql/pglite'
import {
  EngineUnavailable,
  NO_COPY,
  readTag,
  runStatements,
  type SqlDatabase,
  SqlError,
  type Statement,
  type StatementResult,
} from '../../migrations/protocol.ts'
import { lockFile } from '../lock.ts'

/** Small shared buffers: this process would use all of Postgres' default, 128 MB. */
const OPTIONS = { startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'] }

/** The role of the only session. RESET does not return to it in the embedded server. */
const SUPERUSER = 'postgres'

/**
 * Opens the embedded Postgres; in memory without a folder. A file next to the folder (`<folder>.lock`) locks
 * it, so a second process gets an error instead of a corrupt database.
 * @throws {Error} if the folder is open elsewhere
 */
export async function openPglite(folder?: string): Promise<SqlDatabase> {
  if (folder === undefined) return engine(await PGlite.create(OPTIONS), () => {})
  const path = resolve(folder)
  await mkdir(path, { recursive: true })
  const release = await lockFile(`${path}.lock`)
  try {
    return engine(await PGlite.create(path, OPTIONS), release)
  } catch (error) {
    release()
    throw error
  }
}

function engine(db: PGlite, release: () => void): SqlDatabase {
  let crash: EngineUnavailable | undefined

  const send = async (message: Uint8Array): Promise<StatementResult> => {
    if (crash) throw crash
    const answer = await db.execProtocol(message, { throwOnError: false }).then(
      (done) => done.messages,
      (error) => crashed(error),
    )
    // PGlite hides a stack overflow inside Postgres; the sign is that Postgres is not ready afterwards.
    if (!(answer.at(-1) instanceof messages.ReadyForQueryMessage)) crashed('not ready for a query')
    return readResult(answer)
  }

  /** Stops the engine: PGlite would not answer any more, or answer wrongly. */
  const crashed = (cause: unknown): never => {
    crash = new EngineUnavailable('PGlite crashed', { wasLost: true, cause })
    throw crash
  }

  const sendEach = async (statements: Statement[]) => {
    const results: StatementResult[] = []
    for (const statement of statements) results.push(await send(extended(statement)))
    return results
  }

  const sendSql = (query: string) => send(extended({ query, params: [] }))

  // With the query mutex (runExclusive) alone, other requests could run between a transaction's queries.
  const inSession = <T>(work: () => Promise<T>, login?: string): Promise<T> =>
    db._runExclusiveTransaction(() =>
      db.runExclusive(async () => {
        try {
          if (login !== undefined) await sendSql(`SET SESSION AUTHORIZATION ${login}`)
          return await work()
        } finally {
          if (!crash && db.isInTransaction()) await sendSql('ROLLBACK')
          if (!crash && login !== undefined) await sendSql(`SET SESSION AUTHORIZATION ${SUPERUSER}`)
        }
      }),
    )

  return {
    run: (statements, transaction, login) =>
      inSession(() => runStatements(sendEach, statements, transaction), login),
    execScript: (script) =>
      inSession(async () => {
        await send(Buffer.concat([protocol.serialize.query(script), COPY_FAIL]))
      }),
    session: (work) => inSession(() => work(async (query) => (await sendSql(query)).rows)),
    close: async () => {
      if (!crash && !db.closed) await db.close()
      release()
    },
  }
}

/** Without it Postgres would read past the message and exit. */
const COPY_FAIL = protocol.serialize.copyFail(NO_COPY)

function extended({ query, params }: Statement): Uint8Array {
  const { parse, bind, describe, execute, sync } = protocol.serialize
  return Buffer.concat([
    parse({ text: query }),
    bind({ values: params }),
    describe({ type: 'P' }),
    execute(),
    COPY_FAIL,
    sync(),
  ])
}

type BackendMessage = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]

function readResult(answer: BackendMessage[]): StatementResult {
  const result: StatementResult = { command: '', rowCount: null, fields: [], rows: [] }
  for (const message of answer) {
    if (message instanceof messages.DatabaseError) throw SqlError.from(message)
    if (message instanceof messages.RowDescriptionMessage) {
      // PGlite gives the format as a number; Bind asked for text.
      result.fields = message.fields.map((field) => ({ ...field, format: 'text' }))
    } else if (message instanceof messages.DataRowMessage) result.rows.push(message.fields)
    else if (message instanceof messages.CommandCompleteMessage) Object.assign(result, readTag(message.text))
  }
  return result
}
