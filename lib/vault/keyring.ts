import { base58 } from '@scure/base'
import { type Address, parseAddress } from '../solana/address.ts'
import { importSigner, type Signer } from '../solana/signer.ts'
import type { VaultKeys } from './addresses.ts'

/** The service's keys for one generation of vaults, the authority's ready to sign. */
type Generation = VaultKeys & { signer: Signer }

/** The mint and all generations; the newest opens positions, the older ones only release theirs. */
export type Keyring = { mint: Address; generations: Generation[]; current: Generation }

/** The settings that are public: the mint, and the number of key generations there have been. */
export type EscrowSettings = { mint: Address; generations: number }

/**
 * Reads the public settings.
 * @throws TypeError that names the setting that can't be read
 */
export const escrowSettings = (
  settings: Pick<VaultSettings, 'mint' | 'recoveryAddresses'>,
): EscrowSettings => ({
  mint: address('VAULT_MINT', settings.mint),
  generations: settings.recoveryAddresses.split(',').length,
})

/**
 * As configured: the mint, and per generation, oldest first and comma separated, a secret and a public key.
 */
type VaultSettings = {
  mint: string
  /** Base58 of 64 bytes each, as wallets export them. */
  authorityKeys: string
  recoveryAddresses: string
}

/** Imported once per isolate: the import derives each public key. */
const keyrings = new Map<string, Promise<Keyring>>()

/**
 * Imports the keys of these settings.
 * @throws TypeError that names the setting (never its value) when one can't be read
 */
export function keyringOf(settings: VaultSettings): Promise<Keyring> {
  const key = JSON.stringify(settings)
  const known = keyrings.get(key) ?? importKeyring(settings)
  keyrings.set(key, known)
  return known
}

async function importKeyring(settings: VaultSettings): Promise<Keyring> {
  const secrets = settings.authorityKeys.split(',').map((text) => text.trim())
  const recoveries = settings.recoveryAddresses.split(',').map((text) => text.trim())
  if (secrets.length !== recoveries.length) {
    throw new TypeError(
      'VAULT_AUTHORITY_KEYS and VAULT_RECOVERY_ADDRESSES must have one entry per generation',
    )
  }
  const generations = await Promise.all(
    secrets.map(async (secret, index) => {
      const signer = await importSigner(secretKey(secret))
      const recovery = address('VAULT_RECOVERY_ADDRESSES', recoveries[index] ?? '')
      return { generation: index + 1, signer, authority: signer.address, recovery }
    }),
  )
  const current = generations.at(-1)
  if (!current) throw new TypeError('VAULT_AUTHORITY_KEYS is empty')
  return { mint: address('VAULT_MINT', settings.mint), generations, current }
}

/**
 * Finds the keys of the generation that holds a position.
 * @throws Error when the deployment no longer has them
 */
export function keysOf({ generations }: Keyring, generation: number): Generation {
  const keys = generations.find((candidate) => candidate.generation === generation)
  if (keys) return keys
  throw new Error(`the authority key of generation ${generation} is not configured`)
}

function secretKey(text: string): Uint8Array {
  try {
    return base58.decode(text)
  } catch {
    throw new TypeError('VAULT_AUTHORITY_KEYS has an entry that is not Base58')
  }
}

function address(name: string, text: string): Address {
  try {
    return parseAddress(text)
  } catch {
    throw new TypeError(`${name} has an entry that is no address`)
  }
}
