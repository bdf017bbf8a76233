import { readAddress, readAddresses, requireSameKeyVersions } from '../keys/key-versions.ts'
import type { Signer } from '../keys/signer.ts'
import { importSigners, signerOf } from '../keys/signers.ts'
import { memoized } from '../runtime/cache.ts'
import type { Address } from '../solana/address.ts'
import type { VaultKeys } from './addresses.ts'

/** The service's keys of one version. The authority's key is ready to sign. */
type KeyVersion = VaultKeys & { signer: Signer }

/** The mint and all key versions. The newest opens positions, the older ones only release theirs. */
export type Keyring = { mint: Address; keyVersions: KeyVersion[]; current: KeyVersion }

/** The public settings: the mint, and the keys' addresses by key version, oldest first. */
export type EscrowSettings = { mint: Address; keyVersions: VaultKeys[]; current: VaultKeys }

/** The public settings as configured: the mint, and lists that name key versions (key-versions.ts). */
type PublicSettings = { mint: string; authorityAddresses: string; recoveryAddresses: string }

/** The settings with the authority's secret keys: Base58 of 64 bytes each, as wallets export them. */
type VaultSettings = PublicSettings & { authorityKeys: string }

/**
 * Reads the public settings.
 * @throws TypeError that names the setting that can't be read
 */
export function escrowSettings(settings: PublicSettings): EscrowSettings {
  const authorities = readAddresses('VAULT_AUTHORITY_ADDRESSES', settings.authorityAddresses)
  const recoveries = readAddresses('VAULT_RECOVERY_ADDRESSES', settings.recoveryAddresses)
  requireSameKeyVersions({ VAULT_AUTHORITY_ADDRESSES: authorities, VAULT_RECOVERY_ADDRESSES: recoveries })
  const keyVersions = [...authorities].map(([keyVersion, authority]) => ({
    keyVersion,
    authority,
    recovery: recoveries.get(keyVersion) as Address,
  }))
  return { mint: readAddress('VAULT_MINT', settings.mint), keyVersions, current: newest(keyVersions) }
}

/**
 * Imports the keys of these settings, once per isolate, since the import derives each public key.
 * @throws TypeError that names the setting (never its value) when one can't be read
 */
export const keyringOf = (settings: VaultSettings): Promise<Keyring> => cached(JSON.stringify(settings))

const cached = memoized(1, (settings) => importKeyring(JSON.parse(settings)))

async function importKeyring(settings: VaultSettings): Promise<Keyring> {
  const { mint, keyVersions: known } = escrowSettings(settings)
  const signers = await importSigners(
    'VAULT_AUTHORITY',
    settings.authorityKeys,
    new Map(known.map(({ keyVersion, authority }) => [keyVersion, authority])),
  )
  const keyVersions = known.map((keys) => ({ ...keys, signer: signerOf(signers, keys.keyVersion) }))
  return { mint, keyVersions, current: newest(keyVersions) }
}

function newest<G>(keyVersions: G[]): G {
  const current = keyVersions.at(-1)
  if (current === undefined) throw new TypeError('VAULT_AUTHORITY_ADDRESSES is empty')
  return current
}

/**
 * Finds the keys of the version that a position was opened with.
 * @throws Error when the deployment no longer has these keys
 */
export function keysOf({ keyVersions }: Keyring, keyVersion: number): KeyVersion {
  const keys = keyVersions.find((candidate) => candidate.keyVersion === keyVersion)
  if (keys) return keys
  throw new Error(`the authority key of version ${keyVersion} is not configured`)
}
