import type { AuthSession } from './generated/types.ts'
import type { Login } from './login.ts'
import { unlessAborted } from './waiting.ts'

/** A session that ends sooner is renewed before it is used. */
const RENEWED_BEFORE_MS = 5 * 60_000

type SessionOptions = {
  logIn: () => Promise<Login>
  /** Unix milliseconds. */
  now: () => number
  /** A session of a login before. */
  session?: AuthSession | undefined
  /** Told of each new session, and with undefined that there is none any more. */
  onSession?: ((session: AuthSession | undefined) => void) | undefined
}

/** Keeps a wallet's session: one login at a time, whoever waits for it. */
export function createSessions({ logIn, now, session, onSession }: SessionOptions) {
  let open = session && { session, endsAt: session.expiresAt }
  let pending: { login: Promise<AuthSession>; waiting: number } | undefined

  const keep = (next: typeof open) => {
    open = next
    onSession?.(next?.session)
  }
  const start = () => {
    const startedAt = now()
    const login = logIn()
      .then(({ session, lifetimeMs }) => {
        // After a logout meanwhile, or when nobody waited any more, it is nobody's.
        if (pending === started) keep({ session, endsAt: startedAt + lifetimeMs })
        return session
      })
      .finally(() => {
        if (pending === started) pending = undefined
      })
    const started = { login, waiting: 0 }
    return started
  }
  const renew = async (signal?: AbortSignal): Promise<AuthSession> => {
    pending ??= start()
    const mine = pending
    mine.waiting += 1
    try {
      return await unlessAborted(mine.login, signal)
    } finally {
      mine.waiting -= 1
      // The wallet's window may have been closed without an answer: the next call asks anew.
      if (mine.waiting === 0 && pending === mine) pending = undefined
    }
  }

  return {
    /** Logs in, or waits for the login that is under way, until the signal is aborted. */
    renew,
    /** The session to use now: the one there is, or a new one. */
    current: async (signal?: AbortSignal): Promise<AuthSession> =>
      open && now() < open.endsAt - RENEWED_BEFORE_MS ? open.session : renew(signal),
    /** Drops the session if it is still the one with this token. */
    drop(token: string): void {
      if (open?.session.sessionToken === token) keep(undefined)
    },
    /** Drops the session, and what a login under way will bring. */
    end(): void {
      pending = undefined
      keep(undefined)
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
