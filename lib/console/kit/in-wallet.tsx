import { createClient } from '../../client/index.ts'
import { ofKinds } from '../live/about.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { useLoaded } from './query.ts'
import { Cred } from './text.tsx'

/** Events that change a wallet's balance. */
const MOVES = ofKinds('vault', 'budget', 'charge', 'credit')

/**
 * Says what the wallet has, beside an amount to pay. Says nothing without a session: nobody is asked to log in
 * for it.
 */
export function InWallet() {
  const { address, session } = useConnection()
  const { loaded } = useLoaded(
    `${address} ${session !== undefined}`,
    async (signal) => {
      if (!session) return undefined
      // It has no wallet, so an ended session is an error and opens no window of the wallet.
      const client = createClient({ baseUrl: BASE_URL, fetch: clock.fetch, session })
      return await client.call('GET /payments/balances', { signal })
    },
    MOVES,
  )
  const balances = 'data' in loaded ? loaded.data : undefined
  return (
    balances && (
      <>
        Your wallet has <Cred amount={balances.cred} />.
      </>
    )
  )
}
