import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { logins } from '../../../schema/rights.ts'
import { type SqlDatabase, SqlError } from '../../migrations/protocol.ts'
import { settingsSql } from '../../migrations/rights.ts'

/*
 * Sets and revokes the passwords of the logins of schema/rights.ts, which `npm run migrate` makes.
 * `npm run setup` and `npm run rotate` call this with the owner's connection (openPostgres). Nothing here
 * writes a password to a file, a log or a command line.
 */

/** Returns a new password: 256 random bits, in characters that a URL need not escape. */
export const newPassword = (): string => randomBytes(32).toString('base64url')

/** Returns the URL for a Worker's DATABASE_URL: the owner's pooled URL with another login. */
export const loginUrl = (ownerUrl: string, login: string, password: string): string =>
  Object.assign(new URL(ownerUrl), { username: login, password }).href

/**
 * Sets or changes one login's password. Its group's other login keeps working, and so do open sessions of
 * this one. Postgres is sent a SCRAM verifier, so no statement log has the password. Neon only takes a plain
 * password: it is sent as a parameter, over TLS, and is in no statement's text.
 * @throws Error if the login is not in schema/rights.ts, or if the password has other characters than visible
 *   ASCII or fewer than 24; SqlError
 */
export async function setLogin(database: SqlDatabase, login: string, password: string): Promise<void> {
  requireLogin(login)
  if (!/^[!-~]{24,}$/.test(password))
    throw new Error(`the password of ${login} must have at least 24 visible ASCII characters`)
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
 * Closes a login and ends its sessions. Nobody logs in by it until it has another password. Use it for a
 * login that Workers no longer use, or that leaked. A session of the login may set its password and settings
 * at any time, but can't reopen it.
 * @throws Error if the login is not in schema/rights.ts; SqlError
 */
export async function closeLogin(database: SqlDatabase, login: string): Promise<void> {
  requireLogin(login)
  await persistently(() => database.execScript(`alter role ${login} nologin password null`))
  // After the commit: another session could begin before it.
  await database.execScript(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`,
  )
  await persistently(() => database.execScript(settingsSql(login)))
}

const TRIES = 20
/** Postgres' code for a role that another session has just changed: an internal error. */
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
  if (!logins.includes(login)) throw new Error(`${login} is not a login of schema/rights.ts`)
}

/** SCRAM iterations; Postgres itself uses as many. */
const ITERATIONS = 4_096

/** Returns the verifier that Postgres stores for a password (RFC 5802 and 7677, in Postgres' own form). */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`
}
