import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { AgentCredError } from '../../client/index.ts'
import { type IsAbout, useNewEvents } from '../live/listeners.ts'
import { ASKS_DUE_AFTER_MS, ASKS_EVERY_MS, ASKS_FOR_MS } from './attention.ts'
import { retries } from './page-retries.ts'

/** The state of data that a view has asked for. */
export type Loaded<T> =
  | { state: 'loading' }
  /**
   * The data from before the error, if any, is shown next to the error. `retryAt`: when it is asked for again
   * by itself, in Unix milliseconds; undefined if it is not, or while `isAsking`.
   */
  | {
      state: 'failed'
      error: AgentCredError
      data?: T | undefined
      isAsking: boolean
      retryAt: number | undefined
    }
  /** `isOther`: the data is of the filter before, until that of the present one arrives. */
  | { state: 'ready'; data: T; isFresh: boolean; isOther: boolean }

/**
 * Loads data: again when `key` or `filter` changes, `reload` is called, the network is back, or an event is
 * about it. Asks again by itself after an error that may pass. Drops an answer that is no longer wanted.
 * @param key identifies whose data it is: the data of another key is never shown
 * @param isAbout the events that may change the data
 * @param filter what a visitor has chosen of it. While another choice loads, the data before is shown
 */
export function useLoaded<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  isAbout?: IsAbout,
  filter = '',
) {
  const [loaded, setLoaded] = useState<Loaded<T> & { key: string; filter: string }>({
    ...{ state: 'loading', key, filter },
  })
  const [version, setVersion] = useState(0)
  const reload = useCallback(() => setVersion((count) => count + 1), [])
  const read = useMemo(() => retries.join(reload), [key, filter])
  useEffect(() => () => read.leave(), [read])
  useEffect(() => {
    const abort = new AbortController()
    setLoaded((before): typeof before => {
      if (before.key !== key || before.state === 'loading') return { state: 'loading', key, filter }
      if (before.state === 'ready') return { ...before, isFresh: false }
      return before.filter === filter
        ? { ...before, isAsking: true, retryAt: undefined }
        : { state: 'loading', key, filter }
    })
    ask(abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return
        setLoaded({ state: 'ready', data, isFresh: true, isOther: false, key, filter })
        read.succeeded()
      },
      (cause: unknown) => {
        if (abort.signal.aborted) return
        const error = errorOf(cause)
        const retryAt = read.failed(error)
        setLoaded((before) => ({
          ...{ state: 'failed', error, isAsking: false, retryAt, key, filter },
          // Results of another filter would look like results of this one.
          ...(before.key === key && before.filter === filter && 'data' in before && { data: before.data }),
        }))
      },
    )
    addEventListener('online', reload)
    return () => {
      abort.abort()
      removeEventListener('online', reload)
    }
    // `ask` is a new function at each rendering; `key` and `filter` name the data it asks for.
  }, [key, filter, version])
  useNewEvents(isAbout, reload)
  return { loaded: currentOf<T>(loaded, key, filter), reload }
}

/** Returns what may be shown for a key and a filter, also before the effect of their change has run. */
function currentOf<T>(
  loaded: Loaded<T> & { key: string; filter: string },
  key: string,
  filter: string,
): Loaded<T> {
  if (loaded.key !== key) return { state: 'loading' }
  if (loaded.filter === filter) return loaded
  return loaded.state === 'ready' ? { ...loaded, isFresh: false, isOther: true } : { state: 'loading' }
}

/** Returns an error in the client's terms. Logs an error that is not the client's. */
export function errorOf(cause: unknown): AgentCredError {
  if (cause instanceof AgentCredError) return cause
  console.error(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return new AgentCredError('unexpected_answer', message, { cause })
}

/** For a read of an entity that may not exist yet: 404 gives undefined. */
export function noneYet(error: unknown): undefined {
  if (error instanceof AgentCredError && error.status === 404) return undefined
  throw error
}

/** Asks again when a hidden page is visible again. */
export function useSeenAgain(reload: () => void): void {
  useEffect(() => {
    const reloadIfVisible = () => document.hidden || reload()
    document.addEventListener('visibilitychange', reloadIfVisible)
    return () => document.removeEventListener('visibilitychange', reloadIfVisible)
  }, [reload])
}

/** Events that show that somebody uses the page. */
const ATTENTION = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'visibilitychange']

/**
 * Asks repeatedly while the page is in use: not while it is hidden, nor after some minutes without input.
 * If a request came due meanwhile, it is sent once when somebody is back. Otherwise a tab that is left open
 * would keep the database awake.
 * @param waitMs returns the wait before the next request, in milliseconds
 * @returns a function that stops it
 */
function whileInUse(waitMs: () => number, ask: () => void): () => void {
  let usedAt = performance.now()
  let isPaused = false
  const due = () => {
    isPaused = document.hidden || performance.now() - usedAt > ASKS_FOR_MS
    if (isPaused) return
    timer = setTimeout(due, waitMs())
    ask()
  }
  let timer = setTimeout(due, waitMs())
  const attended = () => {
    if (document.hidden) return
    usedAt = performance.now()
    if (isPaused) due()
  }
  const listening = new AbortController()
  for (const kind of ATTENTION) addEventListener(kind, attended, { signal: listening.signal, passive: true })
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}

/** Asks again every few seconds as long as something is in progress and the page is in use. */
export function useRepeated(isOnItsWay: boolean, reload: () => void): void {
  useEffect(() => (isOnItsWay ? whileInUse(() => ASKS_EVERY_MS, reload) : undefined), [isOnItsWay, reload])
}

/**
 * Asks again a minute after something is due by the service's clock, while the page is in use. As long as
 * `dueAt` stays the same, it asks again and doubles the wait each time.
 */
export function useDue(dueAt: number | undefined, now: () => number, reload: () => void): void {
  useEffect(() => {
    if (dueAt === undefined) return
    let overdueMs = ASKS_DUE_AFTER_MS / 2
    const waitMs = () => {
      overdueMs *= 2
      return Math.max(0, dueAt - now()) + overdueMs
    }
    return whileInUse(waitMs, reload)
  }, [dueAt, reload])
}

/**
 * Asks for the text of a public file, for which the client has no operation.
 * @returns undefined if the file does not exist
 * @throws AgentCredError
 */
export async function fetchText(url: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, signal ? { signal } : {})
    text = await answer.text()
  } catch (cause) {
    throw new AgentCredError('unreachable', `${url} did not answer`, { cause })
  }
  if (answer.status === 404) return undefined
  if (answer.ok) return text
  throw new AgentCredError('unexpected_answer', `${url} answered ${answer.status}`, { status: answer.status })
}
