import type { WorkerLog } from '../../lib/local/workers/options.ts'

/** A line of the log, parsed. */
export type LogLine = Record<string, unknown>

/** Long enough for a line on its way from the runtime, however busy the machine is. */
const PATIENCE_MS = 180_000

/**
 * Collects the log of Workers. A line arrives a moment after the answer that it is about. Lines that are not
 * JSON (the runtime reports an uncaught error) are printed, too, so that a test which they fail shows them.
 */
export function collectLogs() {
  const texts: string[] = []
  const lines: LogLine[] = []
  const waiting = new Set<() => void>()
  return {
    /** Everything, as it was written. */
    texts: texts as readonly string[],
    /** The lines of JSON, parsed, without the release, which every line has. */
    lines: lines as readonly LogLine[],
    add({ message }: WorkerLog) {
      texts.push(message)
      const line = parsed(message)
      if (line) lines.push(withoutRelease(line))
      else console.error(message)
      for (const check of waiting) check()
    },
    /** The line of a request, or of its part that has this route; waits for it. */
    of: (requestId: unknown, route?: string): Promise<LogLine> =>
      new Promise((resolve, reject) => {
        const patience = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`nothing was logged of the request ${requestId}`))
        }, PATIENCE_MS)
        const check = () => {
          const line = lines.find(
            (each) => each.requestId === requestId && (route === undefined || each.route === route),
          )
          if (!line) return
          clearTimeout(patience)
          waiting.delete(check)
          resolve(line)
        }
        waiting.add(check)
        check()
      }),
  }
}

const withoutRelease = ({ release: _, ...line }: LogLine): LogLine => line

function parsed(text: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
