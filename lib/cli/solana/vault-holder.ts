import type { Address } from '../../solana/address.ts'
import { decodeMultisig } from '../../solana/token-state.ts'
import { type Escrow, vaultAccount } from '../../vault/addresses.ts'
import { vaultState } from '../../vault/chain-state.ts'
import { buildUnstack } from '../../vault/escrow/unstack.ts'
import type { Cluster } from './cluster.ts'
import { type Holder, readHolder, type Wanted } from './held-accounts.ts'

/**
 * Reads the owner's vault of one key version from the chain. Its multisig names the vault's authority.
 * @throws Error if the vault does not exist, or the recovery key is not one of its signers
 */
export async function findVault(cluster: Cluster, wanted: Wanted): Promise<Holder> {
  const { owner, recovery, mint, keyVersion } = wanted
  const { address: vault } = await vaultAccount({ owner, keys: { keyVersion } })
  const account = await readHolder(cluster, { mint, address: vault })
  // vaultSigners lists the owner twice, then the authority and the recovery key.
  const [, , authority, vaultRecovery] = decodeMultisig(account)?.signers ?? []
  if (!authority || !vaultRecovery) {
    throw new Error(`${owner} has no vault of key version ${keyVersion} at ${vault}`)
  }
  const escrowOf = (recoveryKey: Address): Escrow => ({
    owner,
    mint,
    keys: { keyVersion, authority, recovery: recoveryKey },
  })
  if (vaultState(account, escrowOf(vaultRecovery)).kind !== 'open') {
    throw new Error(`the account at ${vault} is not a vault of this service: it has other signers`)
  }
  if (vaultRecovery !== recovery.address) {
    throw new Error(
      `${recovery.address} is not the recovery key of the vault ${vault}, which is ${vaultRecovery}. Nothing was moved`,
    )
  }
  const escrow = escrowOf(recovery.address)
  return {
    ...{ address: vault, owner, mint, name: 'vault', noun: 'position' },
    stateOf: ({ closeAuthority }) => ({
      isClosable: closeAuthority === undefined,
      obstacle: closeAuthority && `only ${closeAuthority} can close it`,
    }),
    build: ({ held, amount, fresh, rents, network }) =>
      buildUnstack(recovery, {
        ...{ id: 'by owner and recovery key', escrow, network },
        ...{ position: held.address, balance: amount },
        payout: fresh
          ? { kind: 'fresh', seed: fresh.seed, rent: rents.tokenAccount }
          : { kind: 'associated' },
      }),
  }
}
