import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import type { Event } from '../../client/index.ts'

/** Returns whether an event may have changed the shown data. */
export type IsAbout = (event: Event) => boolean

/** Receives each event; undefined means that more has happened than the known events. */
type Listener = (event: Event | undefined) => void

/** Creates the set of listeners that receive the events. */
export function createListeners() {
  const listeners = new Set<Listener>()
  return {
    publish(event: Event | undefined): void {
      for (const listener of listeners) listener(event)
    },
    /** @returns a function that ends it */
    listen(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const Listeners = createContext(createListeners())

/** The wait after an event, since one change often makes several events. */
const SETTLES_MS = 300
/** The wait between two actions of a listener. It doubles each time, up to the most, while events go on. */
const EVERY_MS = 2_000
const MAX_EVERY_MS = 30_000

/**
 * Spaces out the actions of a page. The limit on a wallet's requests includes the requests of its programs.
 * So a page that shows a busy agent must not ask as often as the agent is charged.
 */
export function createPace() {
  let everyMs = EVERY_MS
  let actedAt = -Infinity
  return {
    waitMs: (now: number): number => Math.max(SETTLES_MS, actedAt + everyMs - now),
    acted(now: number): void {
      everyMs = now - actedAt < 2 * everyMs ? Math.min(2 * everyMs, MAX_EVERY_MS) : EVERY_MS
      actedAt = now
    },
  }
}

/**
 * Acts after events that the shown part is about: once for all of them, soon after the first. If the page is
 * hidden, it acts when the page is visible again.
 */
export function useNewEvents(isAbout: IsAbout | undefined, act: () => void): void {
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
