import type { Hire } from '../../client/generated/types.ts'
import { Badge } from '../kit/text.tsx'

const WORDS = { active: 'running', expired: 'term over', terminated: 'ended early' } as const

/** Whether a hire runs. */
export const HireStatus = ({ hire: { status } }: { hire: Pick<Hire, 'status'> }) => (
  <Badge tone={status === 'active' ? 'good' : 'plain'}>{WORDS[status]}</Badge>
)
