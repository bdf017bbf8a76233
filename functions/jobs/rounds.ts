import { recordDueHires } from '../../lib/agents/hiring/record-due.ts'
import type { Rounds } from '../../lib/clock/clock.ts'
import { type Due, dueAt, nextDaily } from '../../lib/clock/kinds.ts'
import type { LooksService, SettlementService } from '../../lib/clock/services.ts'
import { wakeDatabase } from '../../lib/db/answers.ts'
import { runSteps } from '../../lib/http/steps.ts'
import { type DailyDeps, daily } from './daily.ts'
import { pauseFullEndpoints, sweepDeliveries } from './deliveries.ts'
import { reviewLost } from './verifications.ts'

/**
 * The Workers whose rounds the Clock runs by a service binding. Without Solana there is nothing to settle,
 * and no Worker for it.
 */
type RoundServices = { settlement: SettlementService | undefined; looks: LooksService }

/**
 * The rounds of each kind of due work. Each is bounded, idempotent and safe to run twice at once, and answers
 * when its kind is next due.
 */
export const roundsOf = (deps: () => DailyDeps, { settlement, looks }: RoundServices): Rounds => ({
  wakeDatabase: () => wakeDatabase(deps().db),
  async run(kind): Promise<Due | undefined> {
    switch (kind) {
      case 'settlement':
        return settlement?.settle()
      case 'positions':
        return settlement?.lookAtPositions()
      case 'looks':
        return looks.look()
      case 'deliveries': {
        const now = deps()
        await runSteps({
          deliveries: () => sweepDeliveries(now),
          fullEndpoints: () => pauseFullEndpoints(now),
        })
        return undefined
      }
      case 'hires':
        await runSteps({ hires: () => recordDueHires(deps()) })
        return undefined
      case 'verifications':
        await runSteps({ verifications: () => reviewLost(deps()) })
        return undefined
      case 'daily': {
        // Both, whatever becomes of the other.
        const [ours, theirs] = await Promise.allSettled([daily(deps()), settlement?.daily()])
        if (ours.status === 'rejected') throw ours.reason
        if (theirs.status === 'rejected') throw theirs.reason
        return dueAt('daily', nextDaily(deps().now.getTime()))
      }
    }
  },
})
