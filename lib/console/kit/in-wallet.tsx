import { createClient, formatCred } from '../../client/index.ts'
import { ofKinds } from '../live/about.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { useLoaded } from './query.ts'
import { Cred } from './text.tsx'

/** Events that change a wallet's balance. */
const MOVES = ofKinds('vault', 'budget', 'charge', 'credit')

/**
 * Reads the CRED that the wallet can spend. Undefined without a session: nobody is asked to log in for it.
 */
export function useInWallet(): bigint | undefined {
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
  return 'data' in loaded ? loaded.data?.cred : undefined
}

/** Says what the wallet has, beside an amount to pay. */
export const InWallet = ({ cred }: { cred: bigint | undefined }) =>
  cred === undefined ? null : (
    <>
      Your wallet has <Cred amount={cred} />.
    </>
  )

/** Returns what is wrong with an amount to pay that is more than the wallet has. */
export const tooMuchFor = (amount: bigint | undefined, cred: bigint | undefined): string | undefined =>
  amount !== undefined && cred !== undefined && amount > cred
    ? `Enter at most ${formatCred(cred)} CRED: your wallet has no more.`
    : undefined
