import { logInfo } from '../../lib/log.ts'
import { type ReviewDeps, reviewPending } from '../../lib/reputation/attestations/review.ts'

/** After this a request is taken to have lost its message. */
const LOST_AFTER_MS = 60_000

/** Reviews all that waits, as a queue message asks. Logs what it did as one JSON line. */
export async function reviewNow(deps: ReviewDeps): Promise<void> {
  const reviewed = await reviewPending(deps, deps.now)
  logInfo({ job: 'verifications', ...reviewed })
}

/** Reviews verifications that have waited so long that their message must be lost. */
export const reviewLost = (deps: ReviewDeps): Promise<{ proven: number; inReview: number }> =>
  reviewPending(deps, new Date(deps.now.getTime() - LOST_AFTER_MS))
