import { WorkerEntrypoint } from 'cloudflare:workers'
import { dueAt } from '../../lib/clock/jobs.ts'
import type { DeliveryMessage } from '../../lib/events/outbox/notify.ts'
import {
  importSecretKeys,
  makeSecret,
  type NewSecret,
  type SecretMaker,
} from '../../lib/events/secrets/secrets.ts'
import type { DueDestination } from '../../lib/events/sending/destinations.ts'
import { leaseBatch, leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { attemptLeased } from '../../lib/events/sending/run.ts'
import { VERIFICATION_LOST_AFTER_MS } from '../../lib/reputation/rules.ts'
import { logError } from '../../lib/runtime/log.ts'
import { clockOf } from './clock-of.ts'
import { CLOCKS, deliveryDeps, reviewDeps, runLater } from './deps.ts'
import { reviewNow } from './verifications.ts'

/**
 * The end of a queue's name, after the deployment's name. Longer names come first: one ends like another.
 */
const QUEUES = ['lone-deliveries', 'deliveries', 'verifications-dead', 'verifications'] as const
const queueOf = ({ queue }: MessageBatch) => QUEUES.find((name) => queue.endsWith(`-${name}`))

/** Returns the webhook endpoints that a batch of queue messages is for, without duplicates. */
const endpointsOf = ({ messages }: MessageBatch): string[] => [
  ...new Set(messages.map(({ body }) => (body as DeliveryMessage).endpointId)),
]

export default {
  /** Calls only the Clock. So a lost alarm runs ten minutes late, and the database stays asleep. */
  async scheduled(_controller, env) {
    await clockOf(env).check()
  },

  /**
   * Throwing makes the queue deliver the whole batch again. In the end the queue drops the batch, or moves it
   * to the dead letters.
   */
  async queue(batch, env, ctx) {
    switch (queueOf(batch)) {
      case 'deliveries': {
        const deps = deliveryDeps(env, ctx, CLOCKS)
        const leased = await leaseBatch(deps, endpointsOf(batch))
        // The messages have done their work. From here on the Clock finds deliveries that are cut off, by
        // their lease.
        ctx.waitUntil(attemptLeased(deps, leased.batch))
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

/** Schedules a job that reviews what still waits. If that fails, too, the queue delivers the batch again. */
const reviewLater = (env: Cloudflare.JobsEnv) =>
  clockOf(env).wakeBy(
    'verifications',
    dueAt('verifications', CLOCKS.clock().getTime() + VERIFICATION_LOST_AFTER_MS),
  )

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'
export { Clock, ClockEntrypoint } from './clock.ts'

/** Makes webhook secrets for the Workers of agents and events, by a service binding. It decrypts none. */
export class WebhookSecrets extends WorkerEntrypoint<Cloudflare.JobsEnv> implements SecretMaker {
  async make(endpointId: string): Promise<NewSecret> {
    return makeSecret(await importSecretKeys(this.env.WEBHOOK_SECRETS_KEY), endpointId)
  }
}
