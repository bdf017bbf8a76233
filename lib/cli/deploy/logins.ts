import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { logins } from '../../../schema/rights.ts'
import { type SqlDatabase, SqlError } from '../../local/neon/protocol.ts'
import { settingsSql } from '../../local/neon/rights.ts'

/*
 * Passwords of the logins of schema/rights.ts, which `npm run migrate` has made. `npm run setup` and
 * `npm run rotate` call these with a database opened by the owner's direct URL (openPostgres). Nothing here
 * writes a password to a file, a log or a command line.
 */

/** A new password: 256 random bits, in letters that a URL takes as they are. */
export const newPassword = (): string => randomBytes(32).toString('base64url')

/** The URL of a Worker's secret DATABASE_URL: the owner's pooled one with a login instead. */
export const loginUrl = (ownerUrl: string, login: string, password: string): string =>
  Object.assign(new URL(ownerUrl), { username: login, password }).href

/**
 * Sets or changes one login's password. Its group's other login works on, and so do sessions that this one
 * has open. Postgres is sent a SCRAM verifier, so that no log of statements has the password. Neon takes the
 * password alone: it is sent as a parameter then, over TLS, and is in no statement's text.
 * @throws Error for a login that is not of schema/rights.ts, or a password that has other characters than
 *   visible ASCII or fewer than 24; SqlError
 */
export async function setLogin(database: SqlDatabase, login: string, password: string): Promise<void> {
  requireLogin(login)
  if (!/^[!-~]{24,}$/.test(password))
    throw new Error(`a password of ${login} must be of visible ASCII, at least 24 characters`)
  try {
    await database.execScript(`alter role ${login} login password '${verifierOf(password)}'`)
  } catch (error) {
    if (!(error instanceof SqlError && error.message.includes('plaintext passwords'))) throw error
    const alter = `do $$ begin
      execute format('alter role ${login} login password %L', current_setting('agentcred.password'));
    end $$`
    const remember = { query: "select set_config('agentcred.password', $1, true)", params: [password] }
    await database.run([remember, { query: alter, params: [] }], {})
  }
}

/**
 * Closes a login and ends its sessions: nobody works by it until it has another password. For the login that
 * Workers no longer use, or one that leaked: a session of it may give it a password and settings all the
 * time, but can't open it.
 * @throws Error for a login that is not of schema/rights.ts; SqlError
 */
export async function closeLogin(database: SqlDatabase, login: string): Promise<void> {
  requireLogin(login)
  await persistently(() => database.execScript(`alter role ${login} nologin password null`))
  // Not before that is committed: another session could begin meanwhile.
  await database.execScript(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`,
  )
  await persistently(() => database.execScript(settingsSql(login)))
}

const TRIES = 20
/** Postgres' words where another session has just changed the role, too: an internal error. */
const CHANGED_BY_ANOTHER = 'XX000'

async function persistently(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      const isChanged = error instanceof SqlError && error.fields.code === CHANGED_BY_ANOTHER
      if (!isChanged || tried === TRIES) throw error
    }
  }
}

function requireLogin(login: string): void {
  if (!logins.includes(login)) throw new Error(`${login} is no login of schema/rights.ts`)
}

/** As many as Postgres itself takes. */
const ITERATIONS = 4_096

/** What Postgres keeps of a password (RFC 5802 and 7677; the form is Postgres' own). */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`
}
