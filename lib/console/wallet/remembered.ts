import type { AuthSession } from '../../client/generated/types.ts'

/** Who was connected last: over visits. */
type Account = { wallet: string; address: string }

const ACCOUNT = 'agentcred:account'
const SESSION = 'agentcred:session'

/**
 * What the console keeps in the browser: which account was connected, for the next visit; its session, for as
 * long as the tab is open. A session can't move funds.
 */
export const remembered = {
  account: (): Account | undefined => read(localStorage, ACCOUNT),
  keepAccount: (account: Account): void => localStorage.setItem(ACCOUNT, JSON.stringify(account)),

  /** The session of this public key, if it is the one that was kept. */
  session(publicKey: string): AuthSession | undefined {
    const session = read<AuthSession>(sessionStorage, SESSION)
    return session?.publicKey === publicKey ? session : undefined
  },
  keepSession(session: AuthSession | undefined): void {
    if (session) sessionStorage.setItem(SESSION, JSON.stringify(session))
    else sessionStorage.removeItem(SESSION)
  },

  forget(): void {
    localStorage.removeItem(ACCOUNT)
    sessionStorage.removeItem(SESSION)
  },
}

function read<T>(storage: Storage, key: string): T | undefined {
  const text = storage.getItem(key)
  try {
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    storage.removeItem(key)
    return undefined
  }
}
