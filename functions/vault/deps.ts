import { connect } from '../../lib/db/connect.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import type { VaultDeps } from '../../lib/vault/deps.ts'
import { escrowSettings, keyringOf } from '../../lib/vault/keyring.ts'

export type Deps = VaultDeps

export function deps(env: Cloudflare.VaultEnv, now: Date): Deps {
  const settings = {
    mint: env.VAULT_MINT,
    authorityKeys: env.VAULT_AUTHORITY_KEYS,
    recoveryAddresses: env.VAULT_RECOVERY_ADDRESSES,
  }
  return {
    db: connect(env.DATABASE_URL),
    rpc: createRpc(env.SOLANA_RPC_URL),
    escrow: escrowSettings(settings),
    keyring: () => keyringOf(settings),
    computeUnitPrice: BigInt(env.COMPUTE_UNIT_PRICE),
    now,
  }
}
