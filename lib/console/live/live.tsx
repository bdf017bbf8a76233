import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type AgentCredError, createClient, type Event } from '../../client/index.ts'
import { errorOf } from '../kit/query.ts'
import { LEFT_OUT } from '../left-out.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { remembered } from '../wallet/remembered.ts'
import { follow, newsOf, unreadOf, withEvent } from './follow.ts'
import { createListeners, Listeners } from './listeners.ts'

/** The news of a wallet: its latest events and whether the log can be followed. */
type News = {
  /** The latest events, newest first; undefined until the log was read. */
  events: readonly Event[] | undefined
  /** The id of the last event that the wallet has seen; '' if it has seen none. */
  seen: string
  unread: number
  /** Why the log can't be followed now. It is tried again. */
  error: AgentCredError | undefined
  /** Whether the session has expired, is about to, or was revoked. No events arrive until the next login. */
  isOver: boolean
  /** Records that the visitor has seen the latest events. */
  markSeen: () => void
  retry: () => void
}

const Context = createContext<News | undefined>(undefined)

export function useNews(): News {
  const news = useContext(Context)
  if (!news) throw new Error('used outside of <Live>')
  return news
}

/** After a failure it retries; each wait is twice the last one, up to the most. */
const RETRY_MS = 5_000
const MAX_RETRY_MS = 5 * 60_000

/** On the first connection events of this time count as new: views may have loaded their data before. */
const RECENT_MS = 30_000

type Known = { wallet: string; events: readonly Event[]; seen: string }

/**
 * Follows the log of the connected wallet by one socket, while the wallet is signed in and the page is
 * visible. It asks for no login: it uses the session that exists, and says when that has ended. In a
 * deployment without live events it reads only the log's end, each time it would connect.
 */
export function Live({ children }: { children: ComponentChildren }) {
  const { address, session, now } = useConnection()
  const listeners = useMemo(createListeners, [])
  const [known, setKnown] = useState<Known>()
  const [error, setError] = useState<AgentCredError>()
  const [ended, setEnded] = useState<{ wallet: string; token: string }>()
  const [attempt, setAttempt] = useState(0)
  const failures = useRef(0)
  const last = useRef<{ wallet: string; id: string | undefined } | undefined>(undefined)
  const isHidden = useHidden()
  const token = session?.sessionToken
  const isFollowed = address !== undefined && token !== undefined && token !== ended?.token && !isHidden

  useEffect(() => {
    if (!isFollowed || !session) return
    const stop = new AbortController()
    const { signal } = stop
    const retry = () => setAttempt((count) => count + 1)
    let timer: ReturnType<typeof setTimeout> | undefined
    const onLatest = (latest: Event[]) => {
      const before = last.current?.wallet === address ? last.current : undefined
      last.current = { wallet: address, id: latest[0]?.id }
      failures.current = 0
      setError(undefined)
      // On a first visit nothing is unread.
      const seen = remembered.seen(address) ?? latest[0]?.id ?? ''
      remembered.keepSeen(address, seen)
      setKnown({ wallet: address, events: latest, seen })
      const news = before
        ? newsOf(latest, before.id)
        : latest.filter(({ timestamp }) => Date.parse(timestamp) > now() - RECENT_MS)
      // More events were missed than were read, so every view reloads.
      if (!news) listeners.publish(undefined)
      for (const event of news?.toReversed() ?? []) listeners.publish(event)
    }
    const onEvent = (event: Event) => {
      last.current = { wallet: address, id: event.id }
      setKnown((before) => before && { ...before, events: withEvent(before.events, event) })
      listeners.publish(event)
    }
    const client = createClient({ baseUrl: BASE_URL, fetch: clock.fetch, now, session })
    follow(client, { isLive: !LEFT_OUT.includes('live'), signal, onLatest, onEvent }).catch(
      (cause: unknown) => {
        if (signal.aborted) return
        const error = errorOf(cause)
        // The client has no wallet. It would have to log in again, so the session is over.
        if (error.code === 'wallet_missing') return setEnded({ wallet: address, token: session.sessionToken })
        setError(error)
        timer = setTimeout(retry, Math.min(RETRY_MS * 2 ** failures.current++, MAX_RETRY_MS))
      },
    )
    addEventListener('online', retry)
    return () => {
      stop.abort()
      clearTimeout(timer)
      removeEventListener('online', retry)
    }
  }, [isFollowed, token, attempt])

  const current = known?.wallet === address ? known : undefined
  const news: News = {
    events: current?.events,
    seen: current?.seen ?? '',
    unread: current ? unreadOf(current.events, current.seen) : 0,
    error: isFollowed ? error : undefined,
    isOver: ended !== undefined && ended.wallet === address && (token ?? ended.token) === ended.token,
    markSeen() {
      const seen = current?.events[0]?.id ?? ''
      if (!current || current.seen === seen) return
      remembered.keepSeen(current.wallet, seen)
      setKnown({ ...current, seen })
    },
    retry: () => setAttempt((count) => count + 1),
  }
  return (
    <Listeners.Provider value={listeners}>
      <Context.Provider value={news}>{children}</Context.Provider>
    </Listeners.Provider>
  )
}

/** Returns whether the page is hidden. A hidden page asks for nothing and receives no events. */
function useHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const followVisibility = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', followVisibility)
    return () => document.removeEventListener('visibilitychange', followVisibility)
  }, [])
  return isHidden
}
