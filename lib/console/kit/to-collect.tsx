import { formatCred } from '../../client/index.ts'
import { ofKinds } from '../live/about.ts'
import { useBadge } from './owed.tsx'

/**
 * Marks that CRED waits for the wallet: from charges that hirers have funded, and from ended jobs of both
 * sides. Shows nothing without a session.
 */
export function ToCollect() {
  const waiting = useBadge(
    'earnings',
    async (client, signal) => {
      const of = (role: 'owner' | 'hirer') => client.call('GET /payments/totals', { query: { role }, signal })
      const [owner, hirer] = await Promise.all([of('owner'), of('hirer')])
      return owner.funded + owner.jobsDue + hirer.jobsDue
    },
    ofKinds('charge', 'budget', 'job'),
  )
  if (!waiting) return null
  const words = `${formatCred(waiting)} CRED to get, before the fee`
  return (
    <span class="due point" title={words}>
      <span class="visually-hidden">, {words}</span>
    </span>
  )
}
