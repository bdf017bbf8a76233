import { base58 } from '@scure/base'
import { formatAmount } from '../../../schema/amounts.ts'
import { readAddress, readKeyVersions } from '../../keys/key-versions.ts'
import { SECRETS } from '../deploy/deployment.ts'
import { RetryableError } from '../setup/errors.ts'
import { movesOffline, newestOf, VAULT, vaultKeys } from '../setup/keys.ts'
import { connectCluster } from '../solana/cluster.ts'
import { moveTreasury } from '../solana/treasury.ts'
import { lastOf, newestVersionIn, type Rotation } from './rotation.ts'

/**
 * Rotates the vault's keys: adds a version of authority and recovery key. The older keys stay, since
 * positions of their versions are released with them. The treasury's tokens move to the new authority before
 * it is deployed, because the newest version opens positions, with the yield of its own treasury.
 */
export const vault: Rotation = {
  names: VAULT,
  newest: (keys) => lastOf(keys.VAULT_AUTHORITY_ADDRESSES),
  add: (keys, _now, folder) => vaultKeys(folder, false, keys),
  pin(keys) {
    const { version, address: authority } = newestVersionIn(keys.VAULT_AUTHORITY_ADDRESSES)
    const { address: recovery } = newestVersionIn(keys.VAULT_RECOVERY_ADDRESSES)
    return { field: 'vaultKeys', entry: { version, authority, recovery } }
  },
  async beforeDeploy(keys, folder, say) {
    const { VAULT_MINT = '', VAULT_AUTHORITY_KEYS = '', VAULT_AUTHORITY_ADDRESSES = '' } = keys
    const cluster = connectCluster(keys.SOLANA_RPC_URL ?? '')
    const mint = readAddress('VAULT_MINT', VAULT_MINT)
    const to = readAddress('VAULT_AUTHORITY_ADDRESSES', newestOf(VAULT_AUTHORITY_ADDRESSES))
    const keyVersions = [...readKeyVersions('VAULT_AUTHORITY_KEYS', VAULT_AUTHORITY_KEYS)]
    for (const line of movesOffline(folder, keys)) say(line)
    say(`COPY ${folder.path(SECRETS)} offline: its newest key owns the treasury.`)
    for (const [keyVersion, key] of keyVersions.slice(0, -1).toReversed()) {
      const moved = await moveTreasury(cluster, mint, new Uint8Array(base58.decode(key)), to).catch(
        (cause) => {
          throw new RetryableError(
            `The treasury of key version ${keyVersion} was not moved: ${cause instanceof Error ? cause.message : cause}. Nothing is deployed yet.`,
          )
        },
      )
      if (moved) say(`moved ${formatAmount(moved.amount)} CRED to ${moved.treasury}, the new treasury`)
    }
  },
}
