import type { Job } from '../../../client/generated/types.ts'
import { Badge } from '../../kit/text.tsx'
import { STATUSES } from './words.ts'

/** The status of a job. */
export function JobStatus({ job: { status } }: { job: Pick<Job, 'status'> }) {
  const { tone, words } = STATUSES[status]
  return <Badge tone={tone}>{words}</Badge>
}
