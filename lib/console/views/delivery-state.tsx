import type { Delivery } from '../../client/index.ts'
import { Badge } from '../kit/text.tsx'

const TONES = { pending: 'plain', delivered: 'good', failed: 'bad', held: 'warn' } as const

/** How far a delivery is. */
export const DeliveryState = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={TONES[status]}>{status}</Badge>
)

const FAILURES = {
  timeout: 'no answer in time',
  unreachable: 'could not be reached',
  url_refused: 'its address is not one that is sent to',
}

/** What the endpoint answered, in words; '' before the first attempt. */
export function answerOf({
  lastResponseCode,
  lastFailure,
}: {
  lastResponseCode?: number | undefined
  lastFailure?: Delivery['lastFailure'] | undefined
}): string {
  if (lastFailure) return FAILURES[lastFailure]
  return lastResponseCode === undefined ? '' : `answered ${lastResponseCode}`
}
