import { logError } from './log.ts'

/** Sends a line to the operator in the background; the same line once an hour. */
export type Alert = (line: string, now: Date) => void

const TIMEOUT_MS = 10_000
const REPEATED_AFTER_MS = 3_600_000

/** When this isolate last sent each line. There are few lines: none contains text of a caller. */
const sentAt = new Map<string, number>()

/** Keeps a promise running after its handler has returned. */
type Later = (work: Promise<unknown>) => void

/** Returns a function that posts lines to ALERT_URL, or does nothing if the URL is empty. */
export const alertBy =
  (url: string, later: Later): Alert =>
  (line, now) => {
    const last = sentAt.get(line) ?? -Infinity
    if (url === '' || now.getTime() - last < REPEATED_AFTER_MS) return
    sentAt.set(line, now.getTime())
    later(send('alert', url, { method: 'POST', body: line, headers: { 'content-type': 'text/plain' } }))
  }

/** Returns a function that calls HEARTBEAT_URL, or does nothing if the URL is empty. */
export const heartbeatBy = (url: string, later: Later) => () => {
  if (url !== '') later(send('heartbeat', url, {}))
}

/** Logs a failure without the URL, which may contain a token. */
async function send(what: string, url: string, init: RequestInit): Promise<void> {
  try {
    const { status } = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (status < 200 || status > 299) logError({ unsent: what, status })
  } catch {
    logError({ unsent: what, reason: 'unreachable' })
  }
}
