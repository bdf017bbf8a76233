import { createClient, formatCred } from '../../client/index.ts'
import { LEFT_OUT } from '../left-out.ts'
import { ofKinds } from '../live/about.ts'
import { BASE_URL, clock, useConnection } from '../wallet/connection.tsx'
import { useLoaded } from './query.ts'

/** Marks that hirers have funded charges which the wallet can collect. Shows nothing without a session. */
export function ToCollect() {
  const { address, session } = useConnection()
  const { loaded } = useLoaded(
    `${address} ${session?.sessionToken}`,
    async (signal) => {
      if (!session || LEFT_OUT.includes('earnings')) return 0n
      // It has no wallet, so an ended session opens no window of the wallet.
      const client = createClient({ baseUrl: BASE_URL, fetch: clock.fetch, session })
      const { funded } = await client.call('GET /payments/totals', { query: { role: 'owner' }, signal })
      return funded
    },
    ofKinds('charge', 'budget'),
  )
  const funded = ('data' in loaded && loaded.data) || 0n
  if (funded === 0n) return null
  const words = `${formatCred(funded)} CRED to collect`
  return (
    <span class="due point" title={words}>
      <span class="visually-hidden">, {words}</span>
    </span>
  )
}
