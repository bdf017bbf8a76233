import type { EventList } from './generated/types.ts'
import { parseJson } from './json.ts'
import { type EventOptions, events } from './lists.ts'
import type { Call } from './operations.ts'
import { type Sleep, throwIfAborted, unlessAborted } from './waiting.ts'

/** The dependencies of live events: calls of the service, and its sockets. */
type LiveDeps = {
  call: Call
  sleep: Sleep
  /** From 0 to 1. */
  random: () => number
  baseUrl: string
  /** The token of the session to use now. */
  token: (signal?: AbortSignal) => Promise<string>
  /** Undefined if the runtime has no WebSocket: then the client polls. */
  WebSocket: typeof globalThis.WebSocket | undefined
}

type ListedEvent = EventList['events'][number]

const PROTOCOL = 'agentcred.events.v1'
const POLL_MS = 30_000
/** The first pause after a socket without a message; each further one is twice as long. */
const RETRY_MS = 1_000
/** The longest pause: a tab without a socket (a sixth one, no WebSockets) lets the database sleep. */
const MAX_RETRY_MS = 3_600_000
/** The time without a message after which to read the log, since a socket may have missed a notification. */
const CHECK_MS = 5 * 60_000
/** It doubles each time, up to a day: a page that is left open must not keep a database awake. */
const MAX_CHECK_MS = 86_400_000

/**
 * Yields the wallet's events in order, each once, and future ones when they happen. Between two sockets it
 * reads the log, which renews the session, or rejects with the error.
 */
export async function* liveEvents(
  deps: LiveDeps,
  options: EventOptions,
): AsyncGenerator<ListedEvent, void, undefined> {
  const { signal, onLost, everyMs = POLL_MS } = options
  let { after } = options
  let failures = 0
  let checkMs = CHECK_MS
  const asked = onLost && {
    onLost(oldest: string | undefined) {
      after = undefined
      onLost(oldest)
    },
  }
  for (;;) {
    for await (const event of events(deps.call, deps.sleep, { after, signal, ...asked })) {
      after = event.id
      yield event
    }
    if (!deps.WebSocket) {
      await deps.sleep(everyMs, signal)
      continue
    }
    const socket = await open(deps.WebSocket, urlOf(deps.baseUrl, after), await deps.token(signal), signal)
    let isQuiet = false
    // Without a message Workers need 15 seconds to close the connection of a socket.
    socket?.send('ping')
    for await (const page of socket ? pagesOf(socket, checkMs, signal) : []) {
      if (page === QUIET) {
        isQuiet = true
        break
      }
      for (const event of page.events) {
        after = event.id
        yield event
      }
      failures = 0
      checkMs = CHECK_MS
      if (after !== undefined && socket?.readyState === OPEN) socket.send(JSON.stringify({ ack: after }))
    }
    throwIfAborted(signal)
    if (isQuiet) {
      checkMs = Math.min(2 * checkMs, MAX_CHECK_MS)
      continue
    }
    const wait = Math.min(RETRY_MS * 2 ** failures++, MAX_RETRY_MS)
    await untilShown(deps.sleep, wait * (0.5 + deps.random() / 2), signal)
  }
}

/** WebSocket.OPEN, which not every implementation has. */
const OPEN = 1

const urlOf = (baseUrl: string, after: string | undefined): string =>
  `${baseUrl.replace(/^http/, 'ws')}/events/live${after === undefined ? '' : `?after=${after}`}`

/** Opens a socket. @returns undefined if it could not be opened; a browser does not say why */
async function open(
  WebSocket: typeof globalThis.WebSocket,
  url: string,
  token: string,
  signal?: AbortSignal,
): Promise<WebSocket | undefined> {
  const socket = new WebSocket(url, [PROTOCOL, `bearer.${token}`])
  const opened = new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
    socket.addEventListener('close', () => resolve(false))
  })
  try {
    return (await unlessAborted(opened, signal)) ? socket : undefined
  } catch (reason) {
    socket.close()
    throw reason
  }
}

/** Represents a page if a socket was quiet for long, or if the browser's page became visible again. */
const QUIET = 'quiet'

/** Yields the pages of a socket, until it closes or the signal is aborted. */
async function* pagesOf(
  socket: WebSocket,
  quietMs: number,
  signal?: AbortSignal,
): AsyncGenerator<EventList | typeof QUIET, void, undefined> {
  const queue: (EventList | typeof QUIET)[] = []
  let isOver = false
  let wake = () => {}
  const add = (page: EventList | typeof QUIET) => {
    queue.push(page)
    wake()
  }
  const checkAgain = () => add(QUIET)
  let timer = setTimeout(checkAgain, quietMs)
  const end = () => {
    isOver = true
    wake()
  }
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return
    clearTimeout(timer)
    timer = setTimeout(checkAgain, quietMs)
    add(parseJson(String(data)) as EventList)
  })
  socket.addEventListener('close', end)
  signal?.addEventListener('abort', end)
  const forget = whenShown(checkAgain)
  try {
    for (;;) {
      const page = queue.shift()
      if (page) yield page
      else if (isOver) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    forget()
    socket.close()
  }
}

/** Calls back each time the browser's page becomes visible again. @returns a function that ends this */
function whenShown(back: () => void): () => void {
  // Workers and Node have no document, and no type of it.
  const document: (EventTarget & { visibilityState: string }) | undefined = Reflect.get(
    globalThis,
    'document',
  )
  const shown = () => document?.visibilityState === 'visible' && back()
  document?.addEventListener('visibilitychange', shown)
  return () => document?.removeEventListener('visibilitychange', shown)
}

/** Waits `ms` milliseconds, or until the browser's page becomes visible again. */
async function untilShown(sleep: Sleep, ms: number, signal?: AbortSignal): Promise<void> {
  const seen = new AbortController()
  const end = () => seen.abort()
  const forget = whenShown(end)
  signal?.addEventListener('abort', end)
  try {
    await sleep(ms, seen.signal)
  } catch (reason) {
    throwIfAborted(signal)
    if (!seen.signal.aborted) throw reason
  } finally {
    forget()
    signal?.removeEventListener('abort', end)
  }
}
