import { unlistIdleAgents } from '../../lib/agents/listing/unlist-idle.ts'
import { deleteOldGrants } from '../../lib/auth/grants/old-grants.ts'
import { deleteOldNonces } from '../../lib/auth/old-nonces.ts'
import { runSteps } from '../../lib/clock/job-steps.ts'
import { type EventDeletionDeps, eventDeletions } from '../../lib/events/deletion.ts'
import { reencryptSecrets } from '../../lib/events/secrets/reencrypt.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { recordDay } from '../../lib/marketplace/history.ts'
import { deleteAllOldAddresses } from '../../lib/quotas/old-addresses.ts'
import { recheckProofs } from '../../lib/reputation/attestations/recheck.ts'
import type { ReviewDeps } from '../../lib/reputation/attestations/review.ts'
import { deleteOldJobs } from '../../lib/work/retention.ts'

export type DailyDeps = ReviewDeps & DeliverDeps & EventDeletionDeps

/**
 * Records the figures of a new day, and unlists idle agents. Re-encrypts secrets of webhook endpoints under
 * the newest key, and deletes rows that are no longer needed. Checks proofs on the chain again, and the size
 * of the database. Alerts to disputes that nobody judges. Each step is idempotent, bounded, and safe to run
 * twice at once.
 * @returns whether a step has left some of its work
 * @throws Error that names the steps that failed
 */
export const daily = (
  deps: DailyDeps,
  { storage, judges }: Record<'storage' | 'judges', (deps: DailyDeps) => Promise<object>>,
): Promise<{ more: boolean }> =>
  runSteps({
    statsDay: async () => ({ recorded: await recordDay(deps.db, deps.now) }),
    spentNonces: () => deleteOldNonces(deps),
    grants: () => deleteOldGrants(deps),
    idleAgents: () => unlistIdleAgents(deps),
    secrets: () => reencryptSecrets(deps),
    ...eventDeletions(deps),
    oldAddresses: () => deleteAllOldAddresses(deps),
    endedJobs: () => deleteOldJobs(deps),
    judges: () => judges(deps),
    proofs: () => recheckProofs(deps),
    // After what was deleted.
    storage: () => storage(deps),
  })
