import { formatCred } from '../../client/index.ts'
import { ofKinds } from '../live/about.ts'
import { useBadge } from './owed.tsx'

/** Marks that hirers have funded charges which the wallet can collect. Shows nothing without a session. */
export function ToCollect() {
  const totals = useBadge(
    'earnings',
    (client, signal) => client.call('GET /payments/totals', { query: { role: 'owner' }, signal }),
    ofKinds('charge', 'budget'),
  )
  if (!totals?.funded) return null
  const { funded } = totals
  const words = `${formatCred(funded)} CRED to collect`
  return (
    <span class="due point" title={words}>
      <span class="visually-hidden">, {words}</span>
    </span>
  )
}
