import { leasesOf, schedulerOf } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import { isEndpoint, notifierOf, notifyLive } from '../../lib/events/outbox/notify.ts'
import { parseEventRetention } from '../../lib/events/retention.ts'
import { importSecretKeys } from '../../lib/events/secrets/secrets.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { parseTrustedHosts, type RunForOne } from '../../lib/events/sending/destinations.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { parseTrustedProofs } from '../../lib/reputation/attestations/proofs.ts'
import type { ReviewDeps } from '../../lib/reputation/attestations/review.ts'
import { alertBy } from '../../lib/runtime/alert.ts'
import { MAX_MESSAGES_PER_CALL } from '../../lib/runtime/queue.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { clockOf } from './clock-of.ts'
import type { DailyDeps } from './daily.ts'

type Clocks = Pick<DeliverDeps, 'clock' | 'elapsed'>

/** Read more than once in a run: an attempt takes time. */
export const CLOCKS: Clocks = { clock: () => new Date(), elapsed: () => performance.now() }

/** Keeps an invocation or a Durable Object alive for work that goes on after its handler. */
type Lifetime = Pick<ExecutionContext, 'waitUntil'>

export const reviewDeps = (env: Cloudflare.JobsEnv, ctx: Lifetime, now: Date): ReviewDeps => ({
  db: connect(env.DATABASE_URL),
  rpc: createRpc(env.SOLANA_RPC_URL),
  trustedProofs: parseTrustedProofs(env.ATTESTATION_ISSUERS),
  now,
  notify: notifierOf(env, (work) => ctx.waitUntil(work), {
    schedule: schedulerOf(
      clockOf(env),
      (work) => ctx.waitUntil(work),
      () => now,
    ),
    now,
  }),
})

export const deliveryDeps = (env: Cloudflare.JobsEnv, ctx: Lifetime, clocks: Clocks): DeliverDeps => ({
  alert: alertBy(env.ALERT_URL, (work) => ctx.waitUntil(work)),
  db: connect(env.DATABASE_URL),
  ...clocks,
  random: Math.random,
  signingKeys: () => importWebhookKeys(env.WEBHOOK_SIGNING_KEYS),
  secretKeys: () => importSecretKeys(env.WEBHOOK_SECRETS_KEY),
  trustedHosts: parseTrustedHosts(env.WEBHOOK_TRUSTED_HOSTS),
  apiHost: env.API_HOST,
  schedule: schedulerOf(clockOf(env), (work) => ctx.waitUntil(work), clocks.clock),
  leases: leasesOf(clockOf(env)),
  enqueue: async (toNotify) => {
    notifyLive(env, (work) => ctx.waitUntil(work), toNotify)
    const messages = toNotify.filter(isEndpoint).map((endpointId) => ({ body: { endpointId } }))
    for (let i = 0; i < messages.length; i += MAX_MESSAGES_PER_CALL)
      await env.DELIVERIES.sendBatch(messages.slice(i, i + MAX_MESSAGES_PER_CALL))
  },
})

/** Enqueues runs, each for one webhook endpoint. */
export async function runLater(env: Cloudflare.JobsEnv, runs: RunForOne[]): Promise<void> {
  const messages = runs.map(({ destination, delayMs }) => ({
    body: destination,
    delaySeconds: Math.ceil(delayMs / 1000),
  }))
  if (messages.length > 0) await env.LONE_DELIVERIES.sendBatch(messages)
}

export const dailyDeps = (env: Cloudflare.JobsEnv, ctx: Lifetime, now: Date, clocks: Clocks): DailyDeps => ({
  ...reviewDeps(env, ctx, now),
  ...deliveryDeps(env, ctx, clocks),
  eventRetentionMs: () => parseEventRetention(env.EVENTS_KEPT_DAYS),
})
