import { logError } from './log.ts'

/** Tells an operator one line, and never keeps anybody waiting. The same line is told once an hour. */
export type Alert = (line: string, now: Date) => void

const TIMEOUT_MS = 10_000
const REPEATED_AFTER_MS = 3_600_000

/** When each line was told last by this isolate: lines are few, and name nothing that strangers can make. */
const toldAt = new Map<string, number>()

/** Lets a promise outlive its handler. */
type Later = (work: Promise<unknown>) => void

/** Makes what posts lines to ALERT_URL; without a URL nothing. */
export const alertBy =
  (url: string, later: Later): Alert =>
  (line, now) => {
    const last = toldAt.get(line) ?? -Infinity
    if (url === '' || now.getTime() - last < REPEATED_AFTER_MS) return
    toldAt.set(line, now.getTime())
    later(send('alert', url, { method: 'POST', body: line, headers: { 'content-type': 'text/plain' } }))
  }

/** Makes what asks HEARTBEAT_URL for nothing; without a URL nothing. */
export const heartbeatBy = (url: string, later: Later) => () => {
  if (url !== '') later(send('heartbeat', url, {}))
}

/** Says in the log what became of it, never the URL: it may hold a token. */
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
