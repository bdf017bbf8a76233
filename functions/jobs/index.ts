import { connect } from '../../lib/db/connect.ts'
import { sweep } from '../../lib/jobs/sweep.ts'
import { reviewNow } from '../../lib/jobs/verifications.ts'
import { parseAddresses } from '../../lib/solana/address.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { escrowSettings } from '../../lib/vault/keyring.ts'

const DEAD_LETTERS = 'agentcred-verifications-dead'

export default {
  async scheduled(controller, env) {
    await sweep({
      ...reviewDeps(env, new Date(controller.scheduledTime)),
      escrow: escrowSettings({ mint: env.VAULT_MINT, recoveryAddresses: env.VAULT_RECOVERY_ADDRESSES }),
    })
  },

  /** Throwing makes the queue deliver the whole batch again, and in the end to the dead letters. */
  async queue(batch, env) {
    if (batch.queue === DEAD_LETTERS) {
      console.error(
        JSON.stringify({ level: 'error', queue: batch.queue, deadLetters: batch.messages.length }),
      )
    } else {
      await reviewNow(reviewDeps(env, new Date()))
    }
  },
} satisfies ExportedHandler<Cloudflare.JobsEnv>

const reviewDeps = (env: Cloudflare.JobsEnv, now: Date) => ({
  db: connect(env.DATABASE_URL),
  rpc: createRpc(env.SOLANA_RPC_URL),
  trustedIssuers: parseAddresses(env.ATTESTATION_ISSUERS),
  now,
})
