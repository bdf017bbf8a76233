import type { Delivery } from '../../../client/index.ts'
import { Badge } from '../../kit/text.tsx'

const TONES = { pending: 'plain', delivered: 'good', failed: 'bad', held: 'warn' } as const

/** Shows the state of a delivery. */
export const DeliveryState = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={TONES[status]}>{status === 'held' ? 'paused' : status}</Badge>
)
