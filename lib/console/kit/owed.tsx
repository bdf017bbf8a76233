import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Client, createClient } from '../../client/index.ts'
import { LEFT_OUT } from '../left-out.ts'
import { ofKinds } from '../live/about.ts'
import type { IsAbout } from '../live/listeners.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { type Owed, owedOf, waits } from './due.ts'
import { useLoaded } from './query.ts'

/**
 * Loads what a mark in the navigation shows, and again after events about it. Undefined while it is not known,
 * without a session, and where the deployment leaves the view out.
 * @param ask its client has no wallet, so an ended session opens no window of the wallet
 */
export function useBadge<T>(
  view: string,
  ask: (client: Client, signal: AbortSignal) => Promise<T>,
  isAbout: IsAbout,
): T | undefined {
  const { address, session } = useConnection()
  const { loaded } = useLoaded(
    `${address} ${session?.sessionToken}`,
    async (signal) =>
      session && !LEFT_OUT.includes(view)
        ? ask(createClient({ baseUrl: BASE_URL, fetch: clock.fetch, session }), signal)
        : undefined,
    isAbout,
  )
  return 'data' in loaded ? loaded.data : undefined
}

const Context = createContext<Owed | undefined>(undefined)

/** Returns what the wallet's hires owe; undefined until it is known, and without a session. */
export const useOwed = (): Owed | undefined => useContext(Context)

/**
 * Asks what the connected wallet owes, once for all parts of the page: one request, again after events of its
 * hires. If it fails, nothing is known.
 */
export function Owing({ children }: { children: ComponentChildren }) {
  const owed = useBadge(
    'earnings',
    async (client, signal) => {
      const query = { due: true, limit: 100 } as const
      const { budgets } = await client.call('GET /payments/budgets', { query, signal })
      return owedOf(budgets)
    },
    ofKinds('charge', 'budget'),
  )
  return <Context.Provider value={owed}>{children}</Context.Provider>
}

const ROLES = ['hirer', 'agent', 'judge'] as const

/** Returns the number of jobs that wait for the wallet, of the newest hundred of each role. */
export const useWaitingJobs = (): number =>
  useBadge(
    'jobs',
    async (client, signal) => {
      const asked = ROLES.map((role) => client.call('GET /jobs', { query: { role, limit: 100 }, signal }))
      return (await Promise.all(asked)).flatMap(({ jobs }) => jobs).filter(waits).length
    },
    ofKinds('job'),
  ) ?? 0
