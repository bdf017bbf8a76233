import { styleText } from 'node:util'
import type { WorkerLog } from '../local/workers/options.ts'

type Style = Parameters<typeof styleText>[0]
type Fields = Record<string, unknown>

/** Colours by the class of a status: 2xx, 3xx, 4xx and 5xx. */
const STATUS_STYLES: Record<string, Style> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' }

/**
 * Formats a Worker's log line for a terminal: a request in short, an error in red. A successful job only if
 * `isVerbose`.
 * @returns a line, or undefined if nothing is to be shown
 */
export function terminalLine({ level, message }: WorkerLog, isVerbose = false): string | undefined {
  const fields = fieldsOf(message)
  if (!fields) return isError(level) ? styled('red', message) : message
  if (typeof fields.method === 'string') return requestLine(fields)
  const { level: _, release: _release, ...others } = fields
  if (fields.level === 'error') return `${styled('red', 'error')} ${pairs(others)}`
  return isVerbose ? styled('dim', pairs(others)) : undefined
}

/** Prints a Worker's log line unchanged, to stdout or stderr like the Worker. */
export const printJson = ({ level, message }: WorkerLog): void =>
  isError(level) ? console.error(message) : console.log(message)

/**
 * Returns a function that prints Workers' log lines in short, for a terminal.
 * @param isQuiet whether to show errors only, as during the filling of the example market
 */
export const shortPrinter =
  ({ isVerbose, isQuiet }: { isVerbose: boolean; isQuiet: () => boolean }) =>
  (log: WorkerLog): void => {
    const line =
      isQuiet() && fieldsOf(log.message)?.level !== 'error' ? undefined : terminalLine(log, isVerbose)
    if (line !== undefined) console.log(line)
  }

function requestLine({ method, route, status, durationMs, code, reason }: Fields): string {
  const text = `${method} ${route} ${styled(STATUS_STYLES[String(status)[0] ?? ''] ?? 'red', String(status))}`
  const why = [code, reason].filter((part) => part !== undefined).join(': ')
  const isServerError = Number(status) >= 500
  return [text, styled('dim', `${durationMs} ms`), isServerError ? styled('red', why) : why]
    .join(' ')
    .trimEnd()
}

/** Formats fields as `job=deliver sent=3`, as complete as the JSON. */
const pairs = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

function fieldsOf(message: string): Fields | undefined {
  if (!message.startsWith('{')) return undefined
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

const isError = (level: string) => level === 'error' || level === 'warn'

/** Colours a text, unless NO_COLOR is set or the output has no colours. */
const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })
