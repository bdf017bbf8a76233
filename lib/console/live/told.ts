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
/** Between two acts of one listener. */
const EVERY_MS = 2_000

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
    let actedAt = -EVERY_MS
    const due = () => {
      timer = undefined
      if (document.hidden) return document.addEventListener('visibilitychange', due, { once: true })
      actedAt = performance.now()
      now.current.act()
    }
    const stop = listen((event) => {
      const { isAbout } = now.current
      if (!isAbout || (event && !isAbout(event))) return
      const wait = Math.max(SETTLES_MS, actedAt + EVERY_MS - performance.now())
      timer ??= setTimeout(due, wait)
    })
    return () => {
      stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', due)
    }
  }, [listen])
}
