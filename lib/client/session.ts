import { AgentCredError } from './error.ts'
import { SESSION_OPERATIONS } from './generated/facts.ts'
import type { AuthSession } from './generated/types.ts'
import type { LogIn } from './login.ts'
import type { AnyRequest, Call, OperationName } from './operations.ts'
import type { Send } from './send.ts'
import type { LoginMethod } from './steps.ts'
import { throwIfAborted, unlessAborted } from './waiting.ts'

/** A session that ends sooner is renewed before it is used. */
const RENEWED_BEFORE_MS = 5 * 60_000

type SessionOptions = {
  logIn: LogIn
  /** Unix milliseconds. */
  now: () => number
  /** A session of an earlier login. */
  session?: AuthSession | undefined
  /** Called with each new session, and with undefined when it has ended. */
  onSession?: ((session: AuthSession | undefined) => void) | undefined
}

/** Manages a wallet's session: one login at a time, shared by all waiting calls. */
export function createSessions({ logIn, now, session, onSession }: SessionOptions) {
  let open = session && { session, endsAt: session.expiresAt }
  let pending: { login: Promise<AuthSession>; waiting: number } | undefined

  const keep = (next: typeof open) => {
    open = next
    onSession?.(next?.session)
  }
  const start = (method?: LoginMethod) => {
    const startedAt = now()
    const isWanted = (): boolean => pending === started
    const login = logIn(method, isWanted)
      .then(({ session, lifetimeMs }) => {
        // Drop the session after a logout meanwhile, or if nobody waits any more.
        if (isWanted()) keep({ session, endsAt: startedAt + lifetimeMs })
        return session
      })
      .finally(() => {
        if (isWanted()) pending = undefined
      })
    const started = { login, waiting: 0 }
    return started
  }
  const renew = async (signal?: AbortSignal, method?: LoginMethod): Promise<AuthSession> => {
    pending ??= start(method)
    const mine = pending
    mine.waiting += 1
    try {
      return await unlessAborted(mine.login, signal)
    } finally {
      mine.waiting -= 1
      // The wallet's window may have been closed without an answer, so the next call asks again.
      if (mine.waiting === 0 && pending === mine) pending = undefined
    }
  }

  return {
    /** Logs in, by one method if given, or waits for the running login, until the signal is aborted. */
    renew,
    /** Returns the session to use now: the present one, or a new one. */
    current: async (signal?: AbortSignal): Promise<AuthSession> =>
      open && now() < open.endsAt - RENEWED_BEFORE_MS ? open.session : renew(signal),
    /** Drops the session if it is still the one with this token. */
    drop(token: string): void {
      if (open?.session.sessionToken === token) keep(undefined)
    },
    /** Drops the session, and the result of a running login. */
    end(): void {
      pending = undefined
      keep(undefined)
    },
  }
}

type Sessions = ReturnType<typeof createSessions>

/** The service's error codes for an ended session. */
const OVER = ['token_invalid', 'session_revoked']

/**
 * Makes the client's call. It uses the wallet's session if the operation needs one. If the service no longer
 * accepts the session, it repeats the call once with a new session.
 */
export const createCall = (send: Send, sessions: Sessions): Call =>
  (async (name: OperationName, request: AnyRequest = {}) => {
    const { signal } = request
    throwIfAborted(signal)
    if (!SESSION_OPERATIONS.has(name)) return send(name, request)
    const { sessionToken } = await sessions.current(signal)
    try {
      return await send(name, request, sessionToken)
    } catch (error) {
      if (!(error instanceof AgentCredError) || !OVER.includes(error.code)) throw error
    }
    sessions.drop(sessionToken)
    const renewed = await sessions.current(signal)
    return send(name, request, renewed.sessionToken)
  }) as Call
