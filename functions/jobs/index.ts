import { WorkerEntrypoint } from 'cloudflare:workers'
import { dueAt } from '../../lib/clock/kinds.ts'
import type { DeliveryNudge } from '../../lib/events/outbox/nudge.ts'
import {
  importSecretKeys,
  makeSecret,
  type NewSecret,
  type SecretMaker,
} from '../../lib/events/secrets/secrets.ts'
import type { DueDestination } from '../../lib/events/sending/destinations.ts'
import { attemptBatch, leaseBatch } from '../../lib/events/sending/run.ts'
import { attemptLeased, leaseDeliveries } from '../../lib/events/sending/run-for-one.ts'
import { VERIFICATION_LOST_AFTER_MS } from '../../lib/reputation/rules.ts'
import { logError } from '../../lib/runtime/log.ts'
import { clockOf } from './clock-of.ts'
import { CLOCKS, deliveryDeps, reviewDeps, runLater } from './deps.ts'
import { reviewNow } from './verifications.ts'

/**
 * Of a queue's name the part behind the deployment's. The longer names stand first: one ends as another does.
 */
const QUEUES = ['lone-deliveries', 'deliveries', 'verifications-dead', 'verifications'] as const
const queueOf = ({ queue }: MessageBatch) => QUEUES.find((name) => queue.endsWith(`-${name}`))

/** The webhook endpoints that a batch of nudges is for, each once. */
const endpointsOf = ({ messages }: MessageBatch): string[] => [
  ...new Set(messages.map(({ body }) => (body as DeliveryNudge).endpointId)),
]

export default {
  /** Asks the Clock alone: a lost alarm is ten minutes late, and the database sleeps on. */
  async scheduled(_controller, env) {
    await clockOf(env).check()
  },

  /**
   * Throwing makes the queue deliver the whole batch again, and in the end drop it or give it to the dead
   * letters.
   */
  async queue(batch, env, ctx) {
    switch (queueOf(batch)) {
      case 'deliveries': {
        const deps = deliveryDeps(env, ctx, CLOCKS)
        const leased = await leaseBatch(deps, endpointsOf(batch))
        // The messages have done their work: from here on the lease brings back deliveries that are cut
        // off, by the Clock.
        ctx.waitUntil(attemptBatch(deps, leased.batch))
        return runLater(env, leased.others)
      }
      case 'lone-deliveries':
        for (const { body } of batch.messages) {
          const deps = deliveryDeps(env, ctx, CLOCKS)
          const leased = await leaseDeliveries(deps, body as DueDestination)
          if (leased) ctx.waitUntil(attemptLeased(deps, leased))
        }
        return
      case 'verifications':
        if ((await reviewNow(reviewDeps(env, ctx, CLOCKS.clock()))).more) await reviewLater(env)
        return
      case 'verifications-dead':
        logError({ queue: batch.queue, deadLetters: batch.messages.length })
        return reviewLater(env)
      default:
        logError({ queue: batch.queue, deadLetters: batch.messages.length })
    }
  },
} satisfies ExportedHandler<Cloudflare.JobsEnv>

/** Has the Clock's round review what still waits then; where that fails, too, it comes again. */
const reviewLater = (env: Cloudflare.JobsEnv) =>
  clockOf(env).wakeBy(
    'verifications',
    dueAt('verifications', CLOCKS.clock().getTime() + VERIFICATION_LOST_AFTER_MS),
  )

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'
export { Clock, ClockEntrypoint } from './clock.ts'

/** For agents and events, by a service binding: it makes webhook secrets, and opens none. */
export class WebhookSecrets extends WorkerEntrypoint<Cloudflare.JobsEnv> implements SecretMaker {
  async make(endpointId: string): Promise<NewSecret> {
    return makeSecret(await importSecretKeys(this.env.WEBHOOK_SECRETS_KEY), endpointId)
  }
}
