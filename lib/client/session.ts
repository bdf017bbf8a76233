import { base58, utf8 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import { SESSION_OPERATIONS } from './generated/facts.ts'
import type { AuthChallenge, AuthSession, AuthSubmit } from './generated/types.ts'
import type { AnyRequest, Call, OperationName } from './operations.ts'
import type { Send } from './send.ts'
import { throwIfAborted, unlessAborted } from './waiting.ts'
import { ask, type Wallet } from './wallet.ts'

/** A session, and its lifetime at the login, in milliseconds. */
type Login = { session: AuthSession; lifetimeMs: number }

/** The options of a login. */
type Asked = {
  agentId?: AuthSubmit['agentId'] | undefined
  permissions?: AuthSubmit['permissions'] | undefined
}

/**
 * Logs in with a wallet by a Sign-In-With-Solana message: through the wallet's own sign-in if it has one,
 * else by its signature of the message.
 * @param asked an agent of the wallet to name in the session, and the session's permissions
 * @throws AgentCredError `login_refused`, `wallet_refused`, `wallet_incapable`, and the errors of any call
 */
export async function logIn(send: Send, wallet: Wallet, asked: Asked = {}): Promise<Login> {
  const challenge = await send('GET /auth/handshake', { query: { publicKey: wallet.publicKey } })
  const signature = await ask('sign the login', () => answer(wallet, challenge))
  const session = await send('POST /auth/handshake', {
    body: { nonce: challenge.nonce, signature: base58(signature), publicKey: wallet.publicKey, ...asked },
  })
  // Only by the service's clock: this machine's may be wrong.
  const issuedAt = challenge.expiresAt - challenge.expiresIn
  return { session, lifetimeMs: session.expiresAt - issuedAt }
}

function answer(wallet: Wallet, { challenge, signInInput }: AuthChallenge): Promise<Uint8Array> | Uint8Array {
  if (wallet.signIn && signInInput) return wallet.signIn(signInInput)
  if (wallet.signMessage) return wallet.signMessage(utf8(challenge))
  throw new AgentCredError('wallet_incapable', 'The wallet cannot sign messages, so it cannot log in')
}

/** A session that ends sooner is renewed before it is used. */
const RENEWED_BEFORE_MS = 5 * 60_000

type SessionOptions = {
  logIn: () => Promise<Login>
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
  const start = () => {
    const startedAt = now()
    const login = logIn()
      .then(({ session, lifetimeMs }) => {
        // Drop the session after a logout meanwhile, or if nobody waits any more.
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
      // The wallet's window may have been closed without an answer, so the next call asks again.
      if (mine.waiting === 0 && pending === mine) pending = undefined
    }
  }

  return {
    /** Logs in, or waits for the running login, until the signal is aborted. */
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
