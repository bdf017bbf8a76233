import { useCallback, useEffect, useRef, useState } from 'react'
import type { AgentCredError, Client, Event } from '../client/index.ts'
import { useSession, useStore } from './provider.ts'

export type EventsOptions = {
  /** The number of newest events to show: 1 to 100; 50 by default. */
  limit?: number | undefined
  /** Called once for each event that happens while the component is mounted. */
  onEvent?: ((event: Event) => void) | undefined
}

export type EventLog = {
  /** Newest first. */
  events: readonly Event[]
  /** Whether the past events are loading. */
  isLoading: boolean
  /** The reason why no further events arrive. The client has tried to reconnect before. */
  error: AgentCredError | undefined
  /** Loads and follows the log again, after an error. */
  reload(): void
}

type State = Omit<EventLog, 'reload'>

const NOTHING: State = { events: [], isLoading: false, error: undefined }

/**
 * Shows the newest events of the wallet, and each further event when it happens. It is empty until the wallet
 * has logged in (`useLogin`).
 */
export function useEvents({ limit = 50, onEvent }: EventsOptions = {}): EventLog {
  const store = useStore()
  const isLoggedIn = useSession(store) !== undefined
  const [state, setState] = useState(NOTHING)
  const [source, setSource] = useState({})
  const latest = useRef(onEvent)
  useEffect(() => {
    latest.current = onEvent
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source begins anew
  useEffect(() => {
    if (!isLoggedIn) return undefined
    const controller = new AbortController()
    const { signal } = controller
    setState({ ...NOTHING, isLoading: true })
    const show = (events: readonly Event[]) =>
      setState((now) => ({ ...NOTHING, events: [...events, ...now.events].slice(0, limit) }))
    const publish = (event: Event) => {
      show([event])
      // Run it separately: an error of the callback is not an error of this log.
      queueMicrotask(() => latest.current?.(event))
    }
    follow(store.client, { limit, signal, show, publish }).catch((error: AgentCredError) => {
      if (!signal.aborted) setState((now) => ({ ...now, isLoading: false, error }))
    })
    return () => {
      controller.abort()
      setState(NOTHING)
    }
  }, [store, isLoggedIn, limit, source])

  return { ...state, reload: useCallback(() => setSource({}), []) }
}

type Following = {
  limit: number
  signal: AbortSignal
  /** Receives the past events, newest first. */
  show(events: readonly Event[]): void
  /** Receives each further event. */
  publish(event: Event): void
}

/** Reads the newest events, then each further one, until the signal is aborted. */
async function follow(client: Client, { limit, signal, show, publish }: Following): Promise<void> {
  const { events } = await client.call('GET /events', { query: { sort: 'newest', limit }, signal })
  if (signal.aborted) return
  show(events)
  for await (const event of client.events({ after: events[0]?.id, live: true, signal })) {
    if (signal.aborted) return
    publish(event)
  }
}
