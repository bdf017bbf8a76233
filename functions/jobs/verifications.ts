import { logInfo } from '../../lib/log.ts'
import { type ReviewDeps, type Reviewed, reviewPending } from '../../lib/reputation/attestations/review.ts'
import { VERIFICATION_LOST_AFTER_MS } from '../../lib/reputation/rules.ts'

/**
 * Reviews what waits, as a queue message asks. Logs what it did as one JSON line.
 * @returns whether it has left some
 */
export async function reviewNow(deps: ReviewDeps): Promise<{ more: boolean }> {
  const reviewed = await reviewPending(deps, deps.now)
  logInfo({ job: 'verifications', ...reviewed })
  return reviewed
}

/** Reviews verifications that have waited so long that their message must be lost. */
export const reviewLost = (deps: ReviewDeps): Promise<Reviewed> =>
  reviewPending(deps, new Date(deps.now.getTime() - VERIFICATION_LOST_AFTER_MS))
