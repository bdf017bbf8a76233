import { VERSION } from '../../schema/release.ts'

/**
 * The members of a log line besides its level and release; reasonOf (lib/db/failures.ts) says what may be
 * logged of an error.
 */
type LogFields = Readonly<Record<string, unknown>>

/** Writes one line of JSON to the log. */
export const logInfo = (fields: LogFields): void => write(console.log, 'info', fields)

/** Writes one line of JSON to the error log, for an operator to read. */
export const logError = (fields: LogFields): void => write(console.error, 'error', fields)

const write = (print: (line: string) => void, level: string, fields: LogFields): void =>
  print(JSON.stringify({ level, release: VERSION, ...fields }))
