import { connect } from '../../lib/db/connect.ts'
import { notifierOf } from '../../lib/events/outbox/notify.ts'
import { paymentSettings } from '../../lib/payments/keys.ts'
import { readFeeStep } from '../../lib/reputation/counterparties/settings.ts'
import { alertBy } from '../../lib/runtime/alert.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { escrowSettings } from '../../lib/vault/keyring.ts'
import type { SettlementDeps } from './job-runs.ts'

export const deps = (
  env: Cloudflare.SettlementEnv,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  clock: () => Date,
): SettlementDeps => ({
  db: connect(env.DATABASE_URL),
  rpc: createRpc(env.SOLANA_RPC_URL),
  now: clock(),
  clock,
  // The job's return value says when it is due again, so its work schedules nothing.
  schedule: () => {},
  notify: notifierOf(env, (work) => ctx.waitUntil(work)),
  alert: alertBy(env.ALERT_URL, (work) => ctx.waitUntil(work)),
  feeStep: readFeeStep(env.FEE_STEP),
  settings: paymentSettings({
    mint: env.VAULT_MINT,
    authorityAddresses: env.PAYMENTS_AUTHORITY_ADDRESSES,
    vaultAuthorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
  }),
  escrow: escrowSettings({
    mint: env.VAULT_MINT,
    authorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
    recoveryAddresses: env.VAULT_RECOVERY_ADDRESSES,
  }),
})
