import { Refusal } from '../refusal.ts'

/** The driver met an answer that was not Neon's: a proxy's page, cut JSON. */
class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * The role lacks a right that its Worker needs: schema/rights.ts is wrong, or `npm run migrate` has not run.
 */
class MissingRight extends Error {
  override readonly name = 'MissingRight'
}

/** The SQLSTATE of a right that is missing. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** What assert_session raises (schema/functions). */
const SESSION_REVOKED = 'AC401'

/**
 * Waits for the driver's answer to a statement or a batch. Where the answer is not Neon's, the driver
 * throws a SyntaxError or TypeError of its own.
 * @param role says which role it was sent as
 * @throws what Postgres refused, MissingRight, UnreadableAnswer, or Refusal session_revoked
 */
export async function answerOf<T>(answer: Promise<T>, role?: () => string): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (sqlStateOf(cause) === SESSION_REVOKED)
      throw new Refusal('session_revoked', 'The session was revoked; log in again.', {
        challenge: { error: 'invalid_token' },
        cause,
      })
    if (role && sqlStateOf(cause) === INSUFFICIENT_PRIVILEGE)
      throw new MissingRight(`SQLSTATE ${INSUFFICIENT_PRIVILEGE} as ${role()}`, { cause })
    if (cause instanceof Error && cause.name === 'NeonDbError') throw cause
    throw new UnreadableAnswer('the database’s answer to a statement is unreadable', { cause })
  }
}

/**
 * SQLSTATE classes that mean "not now": connection, credentials, missing database, rollback, resources,
 * shutdown, internal.
 */
const OUTAGE_CLASSES = new Set(['08', '28', '3D', '40', '53', '57', 'XX'])

/** Somebody else held a lock for longer than lock_timeout. Others of its class are faults of a statement. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Says why the database counts as unreachable, in words fit for a log, or undefined when it is something
 * else, such as a statement that Postgres refused. Error messages are never used: the driver's may hold what
 * a statement was given.
 */
export function unavailability(error: unknown): string | undefined {
  const cause = causes(error).find((e) => e.name === 'NeonDbError')
  if (!cause)
    return causes(error).some((e) => e instanceof UnreadableAnswer) ? 'unreadable answer' : undefined
  const sqlState = sqlStateOf(error)
  if (sqlState === undefined) return 'unreachable'
  const isOutage = OUTAGE_CLASSES.has(sqlState.slice(0, 2)) || sqlState === LOCK_NOT_AVAILABLE
  return isOutage ? `SQLSTATE ${sqlState}` : undefined
}

/**
 * Says what may be logged of an error: why a refusal was made, why the database is unreachable, the SQLSTATE
 * of what Postgres refused, with the role where that lacks a right, or else the error's name.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.cause instanceof Error ? error.cause.message : error.code
  const outage = unavailability(error)
  if (outage !== undefined) return outage
  const unprivileged = causes(error).find((cause) => cause instanceof MissingRight)
  if (unprivileged) return unprivileged.message
  const sqlState = sqlStateOf(error)
  if (sqlState !== undefined) return `SQLSTATE ${sqlState}`
  return error instanceof Error ? error.name : 'unknown'
}

/**
 * The SQLSTATE of the error that a statement threw: of the driver's NeonDbError, however it is wrapped.
 * Neon's proxy sends an empty one where Postgres has said nothing.
 */
export const sqlStateOf = (error: unknown): string | undefined => fieldOf(error, 'code')

/** The SQLSTATEs of a broken unique constraint and a broken check. */
const CONSTRAINT_STATES = ['23505', '23514']

/** The name of the constraint or check that a write would have broken, if that is what Postgres refused. */
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
