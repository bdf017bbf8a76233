import { leaseDeliveries } from '../../lib/events/deliver.ts'
import { attemptLeased } from '../../lib/jobs/deliveries.ts'
import { sweep } from '../../lib/jobs/sweep.ts'
import { reviewNow } from '../../lib/jobs/verifications.ts'
import { logError } from '../../lib/log.ts'
import type { DeliveryNudge } from '../../lib/outbox/nudge.ts'
import { deliveryDeps, reviewDeps, sweepDeps } from './deps.ts'

const DELIVERIES = 'agentcred-deliveries'
const VERIFICATIONS = 'agentcred-verifications'

export default {
  async scheduled(controller, env) {
    await sweep(sweepDeps(env, new Date(controller.scheduledTime), () => new Date()))
  },

  /**
   * Throwing makes the queue deliver the whole batch again, and in the end drop it or give it to the dead
   * letters.
   */
  async queue(batch, env, ctx) {
    switch (batch.queue) {
      case DELIVERIES:
        for (const message of batch.messages) {
          const deps = deliveryDeps(env, () => new Date())
          const leased = await leaseDeliveries(deps, (message.body as DeliveryNudge).agentId)
          // The message has done its work: from here on it is the lease that brings back what is cut off.
          if (leased) ctx.waitUntil(attemptLeased(deps, leased))
        }
        return
      case VERIFICATIONS:
        return reviewNow(reviewDeps(env, new Date()))
      default:
        logError({ queue: batch.queue, deadLetters: batch.messages.length })
    }
  },
} satisfies ExportedHandler<Cloudflare.JobsEnv>
