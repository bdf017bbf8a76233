import { base58 } from '@scure/base'
import type { Address } from '../../schema/wallet.ts'
import { readKeyVersions, requireSameKeyVersions } from './key-versions.ts'
import { importSigner, type Signer } from './signer.ts'

/** An authority's keys by key version, ready to sign. */
export type Signers = Map<number, Signer>

/**
 * Imports an authority's secret keys: Base58 of 64 bytes each, as wallets export them.
 * @param name of the settings: `VAULT_AUTHORITY` for VAULT_AUTHORITY_KEYS and VAULT_AUTHORITY_ADDRESSES
 * @param text its secrets by key version
 * @param addresses its public addresses
 * @throws TypeError that names the setting (never its value) if a key can't be read or has another address
 */
export async function importSigners(
  name: string,
  text: string,
  addresses: Map<number, Address>,
): Promise<Signers> {
  const secrets = readKeyVersions(`${name}_KEYS`, text)
  requireSameKeyVersions({ [`${name}_KEYS`]: secrets, [`${name}_ADDRESSES`]: addresses })
  const signers = [...addresses].map(async ([keyVersion, address]) => {
    const signer = await importSigner(secretKey(`${name}_KEYS`, secrets.get(keyVersion) ?? ''))
    if (signer.address === address) return [keyVersion, signer] as const
    throw new TypeError(`${name}_KEYS and ${name}_ADDRESSES differ in key version ${keyVersion}`)
  })
  return new Map(await Promise.all(signers))
}

/**
 * Finds the key of a key version.
 * @throws Error if the deployment no longer has it
 */
export function signerOf(signers: Signers, keyVersion: number): Signer {
  const signer = signers.get(keyVersion)
  if (signer) return signer
  throw new Error(`the authority key of version ${keyVersion} is not configured`)
}

function secretKey(setting: string, text: string): Uint8Array {
  try {
    return base58.decode(text)
  } catch {
    throw new TypeError(`${setting} has an entry that is not Base58`)
  }
}
