import type { AuthSession } from './generated/types.ts'
import type { Login } from './login.ts'

/** A session that ends sooner is renewed before it is used. */
const RENEWED_BEFORE_MS = 5 * 60_000

export type SessionOptions = {
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
  let pending: Promise<AuthSession> | undefined

  const keep = (next: typeof open) => {
    open = next
    onSession?.(next?.session)
  }
  const start = (): Promise<AuthSession> => {
    const startedAt = now()
    const login = logIn()
      .then(({ session, lifetimeMs }) => {
        // After a logout meanwhile it is nobody's.
        if (pending === login) keep({ session, endsAt: startedAt + lifetimeMs })
        return session
      })
      .finally(() => {
        if (pending === login) pending = undefined
      })
    return login
  }
  const renew = (): Promise<AuthSession> => {
    pending ??= start()
    return pending
  }

  return {
    /** Logs in, or waits for the login that is under way. */
    renew,
    /** The session to use now: the one there is, or a new one. */
    current: async (): Promise<AuthSession> =>
      open && now() < open.endsAt - RENEWED_BEFORE_MS ? open.session : renew(),
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
