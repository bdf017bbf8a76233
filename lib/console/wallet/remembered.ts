import type { AuthSession } from '../../client/generated/types.ts'

/** The account that was connected last. It is remembered for the next visit. */
type Account = { wallet: string; address: string }

const ACCOUNT = 'agentcred:account'
const SESSION = 'agentcred:session'
const SEEN = 'agentcred:seen'
const OWNERS = 'agentcred:owners'
/** The inputs of ordered jobs (views/jobs/inputs.ts). */
export const INPUTS = 'agentcred:job-inputs'

/** The most hires whose owner is stored. The oldest is forgotten first. */
const MAX_OWNERS = 100

/** The last event of a wallet's log that the visitor has seen. */
type Seen = { wallet: string; id: string }

/**
 * The console's data in the browser. The connected account, the last seen event, the owners of hired agents
 * and the inputs of ordered jobs stay for the next visit. The session lasts as long as the tab; it can't move
 * funds. If the browser stores nothing, nothing is remembered.
 */
export const remembered = {
  account: (): Account | undefined => read(() => localStorage, ACCOUNT),
  keepAccount: (account: Account): void => write(() => localStorage, ACCOUNT, account),

  /** Returns the stored session if it belongs to this public key. */
  session(publicKey: string): AuthSession | undefined {
    const session = read<AuthSession>(() => sessionStorage, SESSION)
    return session?.publicKey === publicKey ? session : undefined
  },
  /** Stores the key's session. Without a session, deletes the stored one if it belongs to this key. */
  keepSession(publicKey: string, session: AuthSession | undefined): void {
    if (session || this.session(publicKey)) write(() => sessionStorage, SESSION, session)
  },

  /** Returns the last event that the wallet has seen; '' if it has seen none; undefined if unknown. */
  seen(wallet: string): string | undefined {
    const seen = read<Seen>(() => localStorage, SEEN)
    return seen?.wallet === wallet ? seen.id : undefined
  },
  keepSeen: (wallet: string, id: string): void => write(() => localStorage, SEEN, { wallet, id }),

  /** Returns the agent's owner that the visitor saw when hiring; undefined if unknown. */
  owner: (hireId: string): string | undefined =>
    read<[string, string][]>(() => localStorage, OWNERS)?.find(([id]) => id === hireId)?.[1],
  keepOwner(hireId: string, owner: string): void {
    const others = read<[string, string][]>(() => localStorage, OWNERS) ?? []
    write(() => localStorage, OWNERS, [[hireId, owner], ...others].slice(0, MAX_OWNERS))
  },

  forget(): void {
    write(() => localStorage, INPUTS, undefined)
    write(() => localStorage, ACCOUNT, undefined)
    write(() => localStorage, OWNERS, undefined)
    write(() => localStorage, SEEN, undefined)
    write(() => sessionStorage, SESSION, undefined)
  },
}

/** Storage that is asked for when it is used: where a visitor has blocked it, asking throws. */
type Asked = () => Storage

export function read<T>(storage: Asked, key: string): T | undefined {
  try {
    const text = storage().getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

export function write(storage: Asked, key: string, value: object | undefined): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value))
    else storage().removeItem(key)
  } catch {
    // Blocked, or full: this visit goes on without it.
  }
}
