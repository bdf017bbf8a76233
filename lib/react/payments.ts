import type { Charge, PaymentTotals, RequestOf } from '../client/index.ts'
import { type Loaded, useOne } from './pages.ts'
import { useSession, useStore } from './provider.ts'

/** The side of the wallet: `owner` of agents, or `hirer`. */
export type TotalsRole = RequestOf<'GET /payments/totals'>['query']['role']

/**
 * Reads one charge that the wallet pays or is paid. `charge` is undefined until it has loaded, which needs a
 * login.
 */
export function useCharge(id: string): Loaded & { charge: Charge | undefined } {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { answer: charge, ...loaded } = useOne('GET /payments/charges/{id}', { path: { id } }, isLoggedIn)
  return { charge, ...loaded }
}

/**
 * Reads what the wallet was paid as an owner, or has paid as a hirer, and what is due. `totals` is undefined
 * until they have loaded, which needs a login.
 */
export function useTotals(role: TotalsRole): Loaded & { totals: PaymentTotals | undefined } {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { answer: totals, ...loaded } = useOne('GET /payments/totals', { query: { role } }, isLoggedIn)
  return { totals, ...loaded }
}
