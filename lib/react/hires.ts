import type { Hire, RequestOf } from '../client/index.ts'
import { type Paged, usePages } from './pages.ts'
import { useSession, useStore } from './provider.ts'

/** The filter and page size of `GET /agents/hire`. */
export type HiresQuery = RequestOf<'GET /agents/hire'>['query']

export type HireList = Paged & { hires: Hire[] }

/**
 * Lists the hires of the wallet, newest first: `useHires({ status: 'active' })`. The list is empty until the
 * wallet has logged in (`useLogin`), so rendering opens no window of the wallet.
 */
export function useHires(query?: HiresQuery): HireList {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { pages, ...paged } = usePages('GET /agents/hire', query, isLoggedIn)
  return { ...paged, hires: pages.flatMap(({ hires }) => hires) }
}
