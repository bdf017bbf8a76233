import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { AuthSession, Client, ClientOptions } from '../client/index.ts'
import { createStore, type Store } from './store.ts'

/** The options of `createClient`, and the components inside. */
export type AgentCredProviderProps = ClientOptions & { children?: ReactNode }

const StoreContext = createContext<Store | undefined>(undefined)

/**
 * Makes a client for the components inside. A change of `baseUrl`, `wallet` or `agentId` makes another
 * client. So pass the same wallet object at each render: make it once, in a state or by `useMemo`. Other
 * options are read when a client is made.
 */
export function AgentCredProvider({ children, ...options }: AgentCredProviderProps): ReactElement {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { baseUrl, wallet, agentId } = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options do not make another client
  const store = useMemo(
    () => createStore({ ...options, onSession: (session) => latest.current.onSession?.(session) }),
    [baseUrl, wallet, agentId],
  )
  return createElement(StoreContext.Provider, { value: store }, children)
}

/** Returns the client of the nearest `AgentCredProvider`, for everything without a hook. */
export const useClient = (): Client => useStore().client

/** @throws Error outside of a provider */
export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store) return store
  throw new Error('Hooks of @agentcred/react need an <AgentCredProvider>: render one around this component')
}

/** Returns the session of a store, and renders again when it changes. */
export const useSession = ({ subscribe, session }: Store): AuthSession | undefined =>
  useSyncExternalStore(subscribe, session, session)
