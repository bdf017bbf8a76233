import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UUID } from '../../schema/patterns.ts'
import { errorCode } from '../tools/error-code.ts'

/** A wrong command line: the script exits with 2. All other errors exit with 1. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Reads a script's options and other arguments.
 * @throws UsageError
 */
export function readCommandLine<T extends Options>(options: T) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Reads the command line of a script that takes options only. No message repeats a value, since it may be a
 * secret.
 * @throws UsageError
 */
export function readOptions<T extends Options>(options: T) {
  const { values, positionals } = readCommandLine(options)
  if (positionals.length === 0) return values
  throw new UsageError('a value has no option before it')
}

/**
 * Returns the value of a required option.
 * @throws UsageError
 */
export function required(flag: string, value: string | undefined): string {
  if (value) return value
  throw new UsageError(`${flag} is missing`)
}

/**
 * Returns the UUID in a required option, in lower case.
 * @throws UsageError
 */
export function requiredUuid(flag: string, value: string | undefined): string {
  const text = required(flag, value)
  if (UUID.test(text)) return text.toLowerCase()
  throw new UsageError(`${flag} must be a UUID`)
}

/**
 * Returns the UUIDs in a required option, each once and in lower case. Commas separate them.
 * @throws UsageError
 */
export function requiredUuids(flag: string, value: string | undefined): string[] {
  const texts = required(flag, value)
    .split(',')
    .map((text) => text.trim())
  if (texts.every((text) => UUID.test(text))) return [...new Set(texts.map((text) => text.toLowerCase()))]
  throw new UsageError(`${flag} must be UUIDs, separated by commas`)
}

/** Runs a script's main function, and prints an error with its causes on stderr. */
export async function runMain(name: string, usage: string, main: () => Promise<void>): Promise<void> {
  const [, stage] = /(?:^| )--stage[ =](\S+)/.exec(process.argv.slice(2).join(' ')) ?? []
  try {
    await main()
  } catch (error) {
    console.error(`${name} stopped: ${messagesOf(error).join('\n  because: ')}`)
    if (error instanceof UsageError) console.error(`\n${usage}`)
    else if (stage !== undefined)
      console.error(`Add --stage ${stage} to each command that is named here, too.`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** Lists the messages of an error and of its causes. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [String(error)]
  return [error.message || errorCode(error) || error.name, ...messagesOf(error.cause)]
}
