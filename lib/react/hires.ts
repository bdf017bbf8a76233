import type { Hire, RequestOf } from '../client/index.ts'
import { type Loaded, type Paged, useOne, usePages } from './pages.ts'
import { useSession, useStore } from './provider.ts'

/** The filter and page size of `GET /agents/hire`. */
export type HiresQuery = RequestOf<'GET /agents/hire'>['query']

export type HireList = Paged & { hires: Hire[] }

/**
 * Lists the hires of the wallet, newest first: `useHires({ status: 'active' })`. The list is empty until the
 * wallet has logged in (`useLogin`), so rendering opens no window of the wallet.
 */
export function useHires(query: HiresQuery = {}): HireList {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { pages, ...paged } = usePages('GET /agents/hire', { query }, isLoggedIn)
  return { ...paged, hires: pages.flatMap(({ hires }) => hires) }
}

/**
 * Reads one hire of the wallet, or of one of its agents. `hire` is undefined until it has loaded, which needs
 * a login.
 */
export function useHire(id: string): Loaded & { hire: Hire | undefined } {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { answer: hire, ...loaded } = useOne('GET /agents/hire/{id}', { path: { id } }, isLoggedIn)
  return { hire, ...loaded }
}
