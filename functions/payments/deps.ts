import { clockIn, type ScheduleJob, scheduleOrFailBy } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import { type Notify, scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { PaymentSettleDeps, RelayDeps } from '../../lib/payments/chain-deps.ts'
import { deploymentView } from '../../lib/payments/deployment.ts'
import type { FundDeps } from '../../lib/payments/jobs/job-fund.ts'
import { paymentSettings, paymentSigners } from '../../lib/payments/keys.ts'
import { readFeeBps, readFeeStep } from '../../lib/reputation/counterparties/settings.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { outagesOf } from '../../lib/work/outages.ts'
import { readJobs } from '../../lib/work/settings.ts'
import { settleDeadline } from '../../lib/work/settle-deadline.ts'

/** The dependencies of payments. */
export type Deps = FundDeps &
  PaymentSettleDeps &
  RelayDeps & {
    notify: Notify
    schedule: ScheduleJob
    /** The most charges from one client IP address in an hour. */
    chargesPerAddress: number
    /** Returns the public facts of the deployment. */
    deployment: () => ReturnType<typeof deploymentView>
  }

export function deps(env: Cloudflare.PaymentsEnv, scope: RequestScope): Deps {
  const { now, clock, subrequests } = scope
  const feeBps = readFeeBps(env.PROTOCOL_FEE_BPS)
  const running = scheduleAndNotifyOf(env, scope)
  const outages = outagesOf(clockIn(env, subrequests))
  return {
    db: connect(env.DATABASE_URL, subrequests),
    rpc: createRpc(env.SOLANA_RPC_URL, subrequests),
    now,
    clock,
    scheduleOrFail: scheduleOrFailBy(clockIn(env, subrequests)),
    ...running,
    settings: paymentSettings({
      mint: env.VAULT_MINT,
      authorityAddresses: env.PAYMENTS_AUTHORITY_ADDRESSES,
      vaultAuthorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
      recoveryAddresses: env.PAYMENTS_RECOVERY_ADDRESSES,
    }),
    areJobsOn: readJobs(env.JOBS),
    settleDeadline: (db, jobId) => settleDeadline({ db, now, ...running, outages }, jobId),
    signers: () => paymentSigners(env.PAYMENTS_AUTHORITY_KEYS, env.PAYMENTS_AUTHORITY_ADDRESSES),
    computeUnitPrice: BigInt(env.COMPUTE_UNIT_PRICE),
    feeBps,
    deployment: () =>
      deploymentView(
        {
          mint: env.VAULT_MINT,
          vaultAuthorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
          vaultRecoveryAddresses: env.VAULT_RECOVERY_ADDRESSES,
          paymentsRecoveryAddresses: env.PAYMENTS_RECOVERY_ADDRESSES,
          paymentsAuthorityAddresses: env.PAYMENTS_AUTHORITY_ADDRESSES,
        },
        feeBps,
      ),
    emptyBuildsPerAddress: Number(env.EMPTY_BUILDS_PER_ADDRESS),
    chargesPerAddress: Number(env.CHARGES_PER_ADDRESS),
    feeStep: readFeeStep(env.FEE_STEP),
  }
}
