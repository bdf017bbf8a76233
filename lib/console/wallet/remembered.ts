import type { AuthSession } from '../../client/generated/types.ts'

/** Who was connected last: over visits. */
type Account = { wallet: string; address: string }

const ACCOUNT = 'agentcred:account'
const SESSION = 'agentcred:session'
const SEEN = 'agentcred:seen'

/** The last event of a wallet's log that the visitor has seen. */
type Seen = { wallet: string; id: string }

/**
 * What the console keeps in the browser: which account was connected and which event it has seen last, for
 * the next visit; its session, for as long as the tab is open. A session can't move funds. A browser that
 * keeps nothing remembers nothing.
 */
export const remembered = {
  account: (): Account | undefined => read(() => localStorage, ACCOUNT),
  keepAccount: (account: Account): void => write(() => localStorage, ACCOUNT, account),

  /** The session of this public key, if it is the one that was kept. */
  session(publicKey: string): AuthSession | undefined {
    const session = read<AuthSession>(() => sessionStorage, SESSION)
    return session?.publicKey === publicKey ? session : undefined
  },
  /** Keeps the session of this public key; without one, forgets that which was kept, if it is its own. */
  keepSession(publicKey: string, session: AuthSession | undefined): void {
    if (session || this.session(publicKey)) write(() => sessionStorage, SESSION, session)
  },

  /** The event that the wallet has seen last; '' if there was none; undefined if nothing is known of it. */
  seen(wallet: string): string | undefined {
    const seen = read<Seen>(() => localStorage, SEEN)
    return seen?.wallet === wallet ? seen.id : undefined
  },
  keepSeen: (wallet: string, id: string): void => write(() => localStorage, SEEN, { wallet, id }),

  forget(): void {
    write(() => localStorage, ACCOUNT, undefined)
    write(() => localStorage, SEEN, undefined)
    write(() => sessionStorage, SESSION, undefined)
  },
}

/** Storage that is asked for when it is used: where a visitor has blocked it, asking throws. */
type Asked = () => Storage

function read<T>(storage: Asked, key: string): T | undefined {
  try {
    const text = storage().getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

function write(storage: Asked, key: string, value: object | undefined): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value))
    else storage().removeItem(key)
  } catch {
    // Blocked, or full: this visit goes on without it.
  }
}
