import { type AuthSession, type Client, type ClientOptions, createClient } from '../client/index.ts'

/** A client, and its present session. */
export type Store = {
  client: Client
  /** Returns the present session; undefined while the wallet is not logged in. */
  session(): AuthSession | undefined
  /** Calls back after each change of the session. @returns a function that ends this */
  subscribe(listener: () => void): () => void
}

/** Makes a client with a session that components can follow. */
export function createStore(options: ClientOptions): Store {
  const listeners = new Set<() => void>()
  let session = usableSession(options)
  const client = createClient({
    ...options,
    session,
    onSession(next) {
      session = next
      options.onSession?.(next)
      for (const listener of listeners) listener()
    },
  })
  return {
    client,
    session: () => session,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The client would renew a session that ends sooner, and the wallet would open a window without a click. */
const LEFT_MS = 5 * 60_000

/** Returns the session that was passed in, unless it is of another wallet or about to end. */
function usableSession({ wallet, session, now = Date.now }: ClientOptions): AuthSession | undefined {
  if (!session || session.expiresAt - LEFT_MS <= now()) return undefined
  return !wallet || wallet.publicKey === session.publicKey ? session : undefined
}
