import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import type { Event } from '../../client/index.ts'

/** Whether something that is shown may be different since an event. */
export type IsAbout = (event: Event) => boolean

/** Is told each event; undefined stands for more events than are known. */
type Listener = (event: Event | undefined) => void

/** Those who are told what happens. */
export function createListeners() {
  const listeners = new Set<Listener>()
  return {
    tell(event: Event | undefined): void {
      for (const listener of listeners) listener(event)
    },
    /** @returns ends it */
    listen(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const Listeners = createContext(createListeners())

/** How long after an event it is acted on, since one change often makes several. */
const SETTLES_MS = 300
/** Between two acts of one listener; twice as long after each, up to the most, while events go on. */
const EVERY_MS = 2_000
const MOST_EVERY_MS = 30_000

/**
 * How long to wait before an act. A wallet's requests are limited, its programs' among them, so that a page
 * which shows a busy agent must not ask as often as it is charged.
 */
export function createPace() {
  let everyMs = EVERY_MS
  let actedAt = -Infinity
  return {
    waitMs: (now: number): number => Math.max(SETTLES_MS, actedAt + everyMs - now),
    acted(now: number): void {
      everyMs = now - actedAt < 2 * everyMs ? Math.min(2 * everyMs, MOST_EVERY_MS) : EVERY_MS
      actedAt = now
    },
  }
}

/**
 * Acts once some events have happened that something shown is about: soon after the first of them, for all of
 * them once, and while the page is hidden only when it is seen again.
 */
export function useTold(isAbout: IsAbout | undefined, act: () => void): void {
  const { listen } = useContext(Listeners)
  const now = useRef({ isAbout, act })
  now.current = { isAbout, act }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const pace = createPace()
    const due = () => {
      timer = undefined
      if (document.hidden) return document.addEventListener('visibilitychange', due, { once: true })
      pace.acted(performance.now())
      now.current.act()
    }
    const stop = listen((event) => {
      const { isAbout } = now.current
      if (!isAbout || (event && !isAbout(event))) return
      timer ??= setTimeout(due, pace.waitMs(performance.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', due)
    }
  }, [listen])
}
