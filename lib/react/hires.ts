import type { Hire } from '../client/index.ts'
import { type Paged, usePages } from './pages.ts'
import { useSession, useStore } from './provider.ts'

export type HireList = Paged & { hires: Hire[] }

/**
 * Lists the hires of the wallet, newest first. The list is empty until the wallet has logged in (`useLogin`),
 * so rendering opens no window of the wallet.
 */
export function useHires({ limit }: { limit?: number | undefined } = {}): HireList {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { pages, ...paged } = usePages('GET /agents/hire', { limit }, isLoggedIn)
  return { ...paged, hires: pages.flatMap(({ hires }) => hires) }
}
