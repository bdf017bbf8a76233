import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createClient } from '../../client/index.ts'
import { LEFT_OUT } from '../left-out.ts'
import { ofKinds } from '../live/about.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { type Owed, owedOf } from './due.ts'
import { useLoaded } from './query.ts'

const Context = createContext<Owed | undefined>(undefined)

/** Returns what the wallet's hires owe; undefined until it is known, and without a session. */
export const useOwed = (): Owed | undefined => useContext(Context)

/**
 * Asks what the connected wallet owes, once for all parts of the page: one request, again after events of its
 * hires. It asks for no login, since it has no wallet. If it fails, nothing is known.
 */
export function Owing({ children }: { children: ComponentChildren }) {
  const { address, session } = useConnection()
  const { loaded } = useLoaded(
    `${address} ${session?.sessionToken}`,
    async (signal) => {
      if (!session || LEFT_OUT.includes('earnings')) return undefined
      const client = createClient({ baseUrl: BASE_URL, fetch: clock.fetch, session })
      const query = { due: true, limit: 100 } as const
      const { budgets } = await client.call('GET /payments/budgets', { query, signal })
      return owedOf(budgets)
    },
    ofKinds('charge', 'budget'),
  )
  const owed = 'data' in loaded ? loaded.data : undefined
  return <Context.Provider value={owed}>{children}</Context.Provider>
}
