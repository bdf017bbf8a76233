import { ApiError } from '../api-error.ts'

/** The driver got an answer that is not Neon's: a proxy's page, or truncated JSON. */
class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * A Worker's Postgres role lacks a privilege that the Worker needs: schema/rights.ts is wrong, or
 * `npm run migrate` has not run.
 */
class MissingPrivilege extends Error {
  override readonly name = 'MissingPrivilege'
}

/** The SQLSTATE of a missing privilege. */
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Our own SQLSTATE: the SQL functions assert_session and lock_grant (schema/functions) raise it for a revoked
 * session and an ended grant.
 */
const SESSION_REVOKED = 'AC401'

/**
 * Waits for the driver's answer to a statement or a batch, and translates the driver's errors.
 * @param role returns the Postgres role of the connection; called only for an error, because it parses a URL
 * @throws NeonDbError, unchanged, if Postgres rejected the statement or did not answer
 * @throws MissingPrivilege if the role lacks a privilege
 * @throws UnreadableAnswer if the answer is not Neon's; the driver throws a SyntaxError or TypeError then
 * @throws ApiError session_revoked if the statement's session was revoked
 */
export async function answerOf<T>(answer: Promise<T>, role?: () => string): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (sqlStateOf(cause) === SESSION_REVOKED)
      throw new ApiError('session_revoked', 'The session was revoked; log in again.', {
        // For the header WWW-Authenticate.
        challenge: { error: 'invalid_token' },
        cause,
      })
    if (role && sqlStateOf(cause) === INSUFFICIENT_PRIVILEGE)
      throw new MissingPrivilege(`SQLSTATE ${INSUFFICIENT_PRIVILEGE} as ${role()}`, { cause })
    if (cause instanceof Error && cause.name === 'NeonDbError') throw cause
    throw new UnreadableAnswer('the database’s answer is unreadable', { cause })
  }
}

/**
 * SQLSTATE classes of outages: connection, credentials, missing database, rollback, resources, shutdown,
 * internal.
 */
const OUTAGE_CLASSES = new Set(['08', '28', '3D', '40', '53', '57', 'XX'])

/** A lock was not available within lock_timeout. Other errors of its class are errors of a statement. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Returns for the log why the database is unavailable, such as `SQLSTATE 57P01`; undefined for any other
 * error, such as a statement that Postgres rejects. Never uses messages of the driver, which may contain the
 * statement's parameters.
 */
export function outageReason(error: unknown): string | undefined {
  const cause = causes(error).find((e) => e.name === 'NeonDbError')
  if (!cause)
    return causes(error).some((e) => e instanceof UnreadableAnswer) ? 'unreadable answer' : undefined
  const sqlState = sqlStateOf(error)
  if (sqlState === undefined) return 'unreachable'
  const isOutage = OUTAGE_CLASSES.has(sqlState.slice(0, 2)) || sqlState === LOCK_NOT_AVAILABLE
  return isOutage ? `SQLSTATE ${sqlState}` : undefined
}

/**
 * Returns the reason of an error for the log: the message of an ApiError's cause, the reason of an outage, or
 * an SQLSTATE (with the role if it lacks a privilege). For other errors it is the error's name. Never has the
 * parameters of a statement. The only ApiError that a driver's error causes is session_revoked, and the
 * message of that error is a constant of the SQL functions assert_session and lock_grant.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.cause instanceof Error ? error.cause.message : error.code
  const outage = outageReason(error)
  if (outage !== undefined) return outage
  const unprivileged = causes(error).find((cause) => cause instanceof MissingPrivilege)
  if (unprivileged) return unprivileged.message
  const sqlState = sqlStateOf(error)
  if (sqlState !== undefined) return `SQLSTATE ${sqlState}`
  return error instanceof Error ? error.name : 'unknown'
}

/**
 * Returns the SQLSTATE of a statement's error, from the driver's NeonDbError, wrapped or not; undefined if
 * Postgres did not answer. Neon's proxy sends an empty SQLSTATE then.
 */
export const sqlStateOf = (error: unknown): string | undefined => fieldOf(error, 'code')

/** The SQLSTATEs of a violated unique constraint and a violated check. */
const CONSTRAINT_STATES = ['23505', '23514']

/** Returns the name of the violated constraint, if that is the error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  CONSTRAINT_STATES.includes(sqlStateOf(error) ?? '') ? fieldOf(error, 'constraint') : undefined

function fieldOf(error: unknown, name: string): string | undefined {
  for (const cause of causes(error)) {
    const value: unknown = cause.name === 'NeonDbError' ? Reflect.get(cause, name) : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
