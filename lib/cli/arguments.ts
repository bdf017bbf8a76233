import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { closestMatch } from 'leven'
import { UUID } from '../../schema/patterns.ts'
import { errorCode } from '../tools/error-code.ts'
import { SCRIPTS, type Script } from './scripts.ts'

/** A wrong command line: the script exits with 2. All other errors exit with 1. */
export class UsageError extends Error {}

type ScriptName = keyof typeof SCRIPTS
type Config = NonNullable<ParseArgsConfig['options']>
type OptionsOf<N extends ScriptName> = (typeof SCRIPTS)[N] extends { options: infer O extends Config }
  ? O
  : Record<never, never>
type CommandLine<N extends ScriptName> = ReturnType<
  typeof parseArgs<{ options: OptionsOf<N>; allowPositionals: true }>
>

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/** Where the texts of options begin in a usage, which is 110 columns wide. */
const INDENT = ' '.repeat(31)

/**
 * Reads a script's options and words, as scripts.ts declares them. For --help it prints the usage, and ends
 * the process. No message repeats a value, since it may be a secret.
 * @throws UsageError
 */
export function readCommandLine<N extends ScriptName>(
  name: N,
  args: string[] = process.argv.slice(2),
): CommandLine<N> {
  const { options, commands, words = commands !== undefined }: Script = SCRIPTS[name]
  const config = { args, options: { ...options, ...HELP }, allowPositionals: true } as const
  const { values, positionals, tokens } = parseArgs({ ...config, strict: false, tokens: true })
  if (values.help === true) {
    console.log(usageOf(name))
    process.exit()
  }
  const unknown = tokens.find(
    (token) => token.kind === 'option' && !Object.hasOwn(config.options, token.name),
  )
  if (unknown?.kind === 'option') throw new UsageError(unknownOption(unknown, Object.keys(config.options)))
  const line = parsed(config) as CommandLine<N>
  if (!words && positionals.length > 0) throw new UsageError('a value has no option before it')
  const [command = ''] = positionals
  if (commands && !commands.includes(command))
    throw new UsageError(`name one of ${commands.join(', ')}.${suggestion(command, commands)}`)
  return line
}

function parsed(config: ParseArgsConfig) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Names an unknown option, and the known one that was probably meant. */
const unknownOption = ({ name, rawName }: { name: string; rawName: string }, known: string[]): string =>
  `Unknown option ${rawName}.${suggestion(name, known, '--')}`

/** Returns a sentence, after a space, with the known name that was probably meant; empty if none is near. */
export function suggestion(name: string, known: readonly string[], prefix = ''): string {
  const meant = closestMatch(name, known, { maxDistance: Math.ceil(name.length / 2) })
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`
}

/** Returns the usage of a script. */
function usageOf(name: ScriptName): string {
  const { usage, options = {}, notes }: Script = SCRIPTS[name]
  const lines = Object.entries(options).map(([option, { value, default: preset, help }]) => {
    const flag = `  --${option}${value === undefined ? '' : ` ${value}`}`
    const text = typeof preset === 'string' ? `${help} (${preset})` : help
    const [first, ...others] = text.match(/\S.{0,78}(?= |$)/g) ?? []
    const begun = flag.length < INDENT.length ? [flag.padEnd(INDENT.length) + first] : [flag, INDENT + first]
    return [...begun, ...others.map((line) => INDENT + line)].join('\n')
  })
  return [
    usage,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...(notes === undefined ? [] : ['', notes]),
  ].join('\n')
}

/**
 * Reads the command line of the script of package.json that this process runs, if it runs one. Answers --help
 * and a wrong command line, and ends the process then.
 */
export function checkCommandLine(): void {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  )
  const name = Object.keys(scripts).find((one) =>
    process.argv[1]?.endsWith(`/${scripts[one]?.split(' ').at(-1)}`),
  )
  if (name === undefined || !isScript(name)) return
  try {
    readCommandLine(name)
  } catch (error) {
    process.exit(printError(name, error))
  }
}

const isScript = (name: string): name is ScriptName => Object.hasOwn(SCRIPTS, name)

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
export async function runMain(name: ScriptName, main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    process.exitCode = printError(name, error)
  }
}

/** Prints the error that stopped a script. @returns the exit code */
function printError(name: ScriptName, error: unknown): number {
  const [, stage] = /(?:^| )--stage[ =](\S+)/.exec(process.argv.slice(2).join(' ')) ?? []
  console.error(`${name} stopped: ${messagesOf(error).join('\n  because: ')}`)
  if (error instanceof UsageError) console.error(`\n${usageOf(name)}`)
  else if (stage !== undefined) console.error(`Add --stage ${stage} to each command that is named here, too.`)
  return error instanceof UsageError ? 2 : 1
}

/** Lists the messages of an error and of its causes. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [String(error)]
  return [error.message || errorCode(error) || error.name, ...messagesOf(error.cause)]
}
