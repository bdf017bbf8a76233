import { connect } from '../../lib/db/connect.ts'
import { readFeeStep } from '../../lib/dealings/settings.ts'
import type { DeliverDeps } from '../../lib/events/deps.ts'
import { importWebhookKeys } from '../../lib/events/signing.ts'
import type { SweepDeps } from '../../lib/jobs/sweep.ts'
import { parseTrustedProofs } from '../../lib/reputation/proofs.ts'
import type { ReviewDeps } from '../../lib/reputation/review.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { escrowSettings } from '../../lib/vault/keyring.ts'

/** Longer delays are left to the cron: twelve hours is what a queue has always taken. */
const MAX_DELAY_SECONDS = 43_200

const MAX_MESSAGES_PER_CALL = 100

export const reviewDeps = (env: Cloudflare.JobsEnv, now: Date): ReviewDeps => ({
  db: connect(env.DATABASE_URL),
  rpc: createRpc(env.SOLANA_RPC_URL),
  trustedProofs: parseTrustedProofs(env.ATTESTATION_ISSUERS),
  now,
})

export const deliveryDeps = (env: Cloudflare.JobsEnv, clock: () => Date): DeliverDeps => ({
  db: connect(env.DATABASE_URL),
  clock,
  random: Math.random,
  signingKeys: () => importWebhookKeys(env.WEBHOOK_SIGNING_KEYS),
  apiHost: env.API_HOST,
  nudgeLater: async (nudges) => {
    const messages = nudges
      .map(({ agentId, delayMs }) => ({ body: { agentId }, delaySeconds: Math.ceil(delayMs / 1000) }))
      .filter(({ delaySeconds }) => delaySeconds <= MAX_DELAY_SECONDS)
    for (let i = 0; i < messages.length; i += MAX_MESSAGES_PER_CALL)
      await env.DELIVERIES.sendBatch(messages.slice(i, i + MAX_MESSAGES_PER_CALL))
  },
})

/** Nudges for agents whose endpoint gets a run of its own. */
export async function nudgeAlone(env: Cloudflare.JobsEnv, agentIds: string[]): Promise<void> {
  if (agentIds.length > 0)
    await env.LONE_DELIVERIES.sendBatch(agentIds.map((agentId) => ({ body: { agentId } })))
}

export const sweepDeps = (env: Cloudflare.JobsEnv, now: Date, clock: () => Date): SweepDeps => ({
  ...reviewDeps(env, now),
  ...deliveryDeps(env, clock),
  feeStep: readFeeStep(env.FEE_STEP),
  escrow: escrowSettings({
    mint: env.VAULT_MINT,
    authorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
    recoveryAddresses: env.VAULT_RECOVERY_ADDRESSES,
  }),
})
