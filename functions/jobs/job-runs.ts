import { recordDueHires } from '../../lib/agents/hiring/record-due.ts'
import type { JobRuns } from '../../lib/clock/clock.ts'
import { runSteps } from '../../lib/clock/job-steps.ts'
import { type Due, dueAt, dueAtOnce, nextDaily } from '../../lib/clock/jobs.ts'
import type { Outage } from '../../lib/clock/outages.ts'
import type { ProbesService, SettlementService } from '../../lib/clock/services.ts'
import { wakeDatabase } from '../../lib/db/answers.ts'
import { sweepDeliveries, trimBacklogs } from '../../lib/events/sending/sweep.ts'
import { reviewPending } from '../../lib/reputation/attestations/review.ts'
import { logError } from '../../lib/runtime/log.ts'
import { recordDueDeadlines } from '../../lib/work/record-due.ts'
import { type DailyDeps, daily } from './daily.ts'

/**
 * The Workers whose jobs the Clock runs by a service binding. Without Solana there is nothing to settle, and
 * no Worker settlement.
 */
type JobServices = {
  settlement: SettlementService | undefined
  probes: ProbesService
  heartbeat: () => void
  /** Compares the size of the database with what its plan stores. */
  storage: (deps: DailyDeps) => Promise<object>
  /** Returns the outages up to a time, in Unix milliseconds. */
  outages: (until: number) => Promise<Outage[]>
  /** Alerts an operator to disputes that nobody has judged, and to deadlines that were not settled. */
  judges: (deps: DailyDeps) => Promise<object>
  /** Writes the catalog of priced routes to KV. */
  catalog: (deps: DailyDeps) => Promise<object>
}

/**
 * The jobs of the Clock. Each is bounded, idempotent and safe to run twice at once. Each returns when it is
 * next due.
 */
export const jobRunsOf = (
  deps: () => DailyDeps,
  { settlement, probes, heartbeat, storage, catalog, outages, judges }: JobServices,
): Omit<JobRuns, 'alert'> => ({
  wakeDatabase: () => wakeDatabase(deps().db),
  async run(job): Promise<Due | undefined> {
    switch (job) {
      case 'settlement':
        return settlement?.settle()
      case 'positions':
        return settlement?.lookAtPositions()
      case 'looks': {
        const { due, scheduled } = await probes.probe()
        for (const { job, at } of scheduled) deps().schedule(job, new Date(at))
        return due
      }
      case 'catalog':
        await runSteps({ catalog: () => catalog(deps()) })
        return undefined
      case 'deliveries': {
        const run = deps()
        let next: Due | undefined
        await runSteps({
          deliveries: async () => {
            const { next: due, ...swept } = await sweepDeliveries(run)
            next = due
            return swept
          },
          fullEndpoints: () => trimBacklogs(run),
        })
        return next
      }
      case 'hires': {
        let due: Due | undefined
        await runSteps({
          hires: async () => {
            const { due: next, ...counts } = await recordDueHires(deps())
            due = next
            return counts
          },
        })
        return due
      }
      case 'deadlines': {
        const run = deps()
        let due: Due | undefined
        await runSteps({
          deadlines: async () => {
            const { due: next, ...result } = await recordDueDeadlines(run, await outages(run.now.getTime()))
            due = next
            if (result.failed.length > 0) logError({ job: 'deadlines', failed: result.failed })
            return result
          },
        })
        return due
      }
      case 'verifications': {
        const run = deps()
        // Reviews all pending requests, new ones too: the run that a request has scheduled must include it.
        const { more } = await runSteps({ verifications: () => reviewPending(run) })
        return more ? dueAtOnce(run.now.getTime()) : undefined
      }
      case 'daily': {
        // If one of the two fails, the other still runs to its end.
        const [jobsDay, settlementDay] = await Promise.allSettled([
          daily(deps(), { storage, judges }),
          settlement?.daily(),
        ])
        if (jobsDay.status === 'rejected') throw jobsDay.reason
        if (settlementDay.status === 'rejected') throw settlementDay.reason
        const now = deps().now.getTime()
        if (jobsDay.value.more || settlementDay.value?.more) return dueAtOnce(now)
        heartbeat()
        return dueAt('daily', nextDaily(now))
      }
    }
  },
})
