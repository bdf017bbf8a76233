import { clockIn, type ScheduleJob, scheduleOrFailBy } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import { type Notify, scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { alertBy } from '../../lib/runtime/alert.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import type { SettleDeps } from '../../lib/x402/facilitator/deps.ts'
import { type FeePayers, importFeePayers } from '../../lib/x402/keys/fee-payers.ts'
import { type X402Settings, x402Settings } from '../../lib/x402/settings.ts'

/** The dependencies of payments for requests. */
export type Deps = Omit<SettleDeps, 'feePayer' | 'settings'> & {
  settings: X402Settings
  feePayers: () => Promise<FeePayers>
  keySecret: string
  changesPerAddress: number
  notify: Notify
  schedule: ScheduleJob
  /** The catalog of priced routes, in KV. */
  catalog: KVNamespace
}

export function deps(env: Cloudflare.X402Env, scope: RequestScope): Deps {
  const { now, clock, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    rpc: createRpc(env.SOLANA_RPC_URL, subrequests),
    now,
    clock,
    ...scheduleAndNotifyOf(env, scope),
    scheduleOrFail: scheduleOrFailBy(clockIn(env, subrequests)),
    catalog: countCalls(env.CATALOG, 'kv', subrequests),
    settings: x402Settings(env),
    feePayers: () => importFeePayers(env.X402_FEE_PAYER_KEY),
    keySecret: env.X402_KEY_SECRET,
    changesPerAddress: Number(env.PRICE_CHANGES_PER_ADDRESS),
    // Not by payer: anybody can send a payer's public payments again, and would use up the payer's calls.
    isWithinRate: async (messageHash) =>
      (await env.WALLET_LIMIT.limit({ key: `payment ${messageHash}` })).success,
    alert: alertBy(env.ALERT_URL, scope.background),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}
