/**
 * The members of a log line besides its level; reasonOf (lib/db/failures.ts) says what may be logged of an
 * error.
 */
type LogFields = Readonly<Record<string, unknown>>

/** Writes one line of JSON to the log: what went as it should. */
export const logInfo = (fields: LogFields): void => console.log(JSON.stringify({ level: 'info', ...fields }))

/** Writes one line of JSON to the error log: what an operator should look at. */
export const logError = (fields: LogFields): void =>
  console.error(JSON.stringify({ level: 'error', ...fields }))
