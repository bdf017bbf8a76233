import { type ReviewDeps, reviewPending } from '../../lib/reputation/attestations/review.ts'
import { logInfo } from '../../lib/runtime/log.ts'

/**
 * Reviews pending requests for verification, as a queue message asks. Logs the counts as one JSON line.
 * @returns whether it has left some
 */
export async function reviewNow(deps: ReviewDeps): Promise<{ more: boolean }> {
  const reviewed = await reviewPending(deps)
  logInfo({ job: 'verifications', ...reviewed })
  return reviewed
}
