import { clockIn, scheduleOrFailBy } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import { scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import type { VaultDeps } from '../../lib/vault/deps.ts'
import { escrowSettings, keyringOf } from '../../lib/vault/keyring.ts'
import { readLimits, readMinStake, readStacking } from '../../lib/vault/stacking/admission.ts'

export type Deps = VaultDeps

export function deps(env: Cloudflare.VaultEnv, scope: RequestScope): Deps {
  const { now, clock, subrequests } = scope
  const settings = {
    mint: env.VAULT_MINT,
    authorityKeys: env.VAULT_AUTHORITY_KEYS,
    authorityAddresses: env.VAULT_AUTHORITY_ADDRESSES,
    recoveryAddresses: env.VAULT_RECOVERY_ADDRESSES,
  }
  return {
    db: connect(env.DATABASE_URL, subrequests),
    rpc: createRpc(env.SOLANA_RPC_URL, subrequests),
    escrow: escrowSettings(settings),
    keyring: () => keyringOf(settings),
    limits: readLimits(env),
    minStake: readMinStake(env.VAULT_MIN_STAKE),
    emptyBuildsPerAddress: Number(env.EMPTY_BUILDS_PER_ADDRESS),
    isStackingOn: readStacking(env.VAULT_STACKING),
    computeUnitPrice: BigInt(env.COMPUTE_UNIT_PRICE),
    now,
    clock,
    scheduleOrFail: scheduleOrFailBy(clockIn(env, subrequests)),
    ...scheduleAndNotifyOf(env, scope),
  }
}
