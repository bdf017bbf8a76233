import { useCallback, useEffect, useState } from 'react'
import type { AgentCredError, AuthSession, LoginMethod } from '../client/index.ts'
import { useSession, useStore } from './provider.ts'
import { useTask } from './task.ts'

export type Login = {
  /** The wallet's session; undefined while it is not logged in. */
  session: AuthSession | undefined
  /** Whether the wallet is asking its user to sign the login. */
  isPending: boolean
  /** The error of the last login. */
  error: AgentCredError | undefined
  /**
   * Logs in with the wallet. Call it on a click, since the wallet opens a window. It never rejects.
   * @returns undefined if the login failed (see `error`), or if the component was unmounted
   */
  login(): Promise<AuthSession | undefined>
  /** Logs in by one of `error.loginMethods`, which the user has chosen. Otherwise the same. */
  loginWith(method: LoginMethod): Promise<AuthSession | undefined>
  /** Forgets the session in this page. `useClient().revoke()` ends it at the service. */
  logout(): void
}

type State = Pick<Login, 'isPending' | 'error'>

const IDLE: State = { isPending: false, error: undefined }

/** Logs in and out. All components share the session. */
export function useLogin(): Login {
  const store = useStore()
  const session = useSession(store)
  const [state, setState] = useState(IDLE)
  const task = useTask()

  const start = useCallback(
    async (method?: LoginMethod) => {
      const signal = task.begin()
      setState({ isPending: true, error: undefined })
      try {
        const opened = await store.client.login({ signal, method })
        if (signal.aborted) return undefined
        setState(IDLE)
        return opened
      } catch (error) {
        // Apart from an aborted signal's reason, the client only rejects with this class.
        if (!signal.aborted) setState({ isPending: false, error: error as AgentCredError })
        return undefined
      }
    },
    [store, task],
  )
  // A click passes its event.
  const login = useCallback(() => start(), [start])

  const logout = useCallback(() => {
    task.abort()
    setState(IDLE)
    store.client.logout()
  }, [store, task])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another client ends the login of the one before
  useEffect(
    () => () => {
      task.abort()
      setState(IDLE)
    },
    [store, task],
  )

  return { session, ...state, login, loginWith: start, logout }
}
