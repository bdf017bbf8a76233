import { readAddress, readAddresses } from '../keys/key-versions.ts'
import { importSigners, type Signers } from '../keys/signers.ts'
import { memoized } from '../runtime/cache.ts'
import type { Address } from '../solana/address.ts'
import { associatedTokenAddress } from '../solana/programs/associated-token.ts'
import type { PaymentKeys } from './chain/collector.ts'

/** The public settings of payments. */
export type PaymentSettings = {
  mint: Address
  /** The authority's addresses by key version, the newest first. The newest opens payout accounts. */
  keyVersions: PaymentKeys[]
  /** The offline keys of jobs by key version. A version without one funds no job. */
  recoveries: Map<number, Address>
  /** The owner of the token account that takes the protocol fee: the newest authority of the vault. */
  treasuryOwner: Address
  /** The owners of former treasuries: older authorities of the vault. */
  formerTreasuryOwners: Address[]
}

/** The settings as configured: lists name key versions (lib/keys/key-versions.ts). */
type PublicSettings = {
  mint: string
  authorityAddresses: string
  vaultAuthorityAddresses: string
  /** PAYMENTS_RECOVERY_ADDRESSES; empty in a deployment without jobs. */
  recoveryAddresses?: string
}

/**
 * Reads the public settings.
 * @throws TypeError that names the setting that can't be read
 */
export function paymentSettings(settings: PublicSettings): PaymentSettings {
  const authorities = readAddresses('PAYMENTS_AUTHORITY_ADDRESSES', settings.authorityAddresses)
  const vaults = readAddresses('VAULT_AUTHORITY_ADDRESSES', settings.vaultAuthorityAddresses)
  return {
    mint: readAddress('VAULT_MINT', settings.mint),
    keyVersions: [...authorities].map(([keyVersion, authority]) => ({ keyVersion, authority })).reverse(),
    recoveries: settings.recoveryAddresses
      ? readAddresses('PAYMENTS_RECOVERY_ADDRESSES', settings.recoveryAddresses)
      : new Map(),
    treasuryOwner: [...vaults.values()].at(-1) as Address,
    formerTreasuryOwners: [...vaults.values()].slice(0, -1),
  }
}

/** Returns the token account that takes the protocol fee. */
export const treasuryOf = ({ mint, treasuryOwner }: PaymentSettings): Promise<Address> =>
  associatedTokenAddress(treasuryOwner, mint)

/** Returns the token accounts that take or took the protocol fee: a rotation of the vault's key moves it. */
export async function treasuriesOf(settings: PaymentSettings): Promise<Set<Address>> {
  const { mint, formerTreasuryOwners } = settings
  const former = formerTreasuryOwners.map((owner) => associatedTokenAddress(owner, mint))
  return new Set(await Promise.all([treasuryOf(settings), ...former]))
}

/**
 * Imports the authority's secret keys, once per isolate.
 * @throws TypeError that names the setting (never its value) when one can't be read
 */
export const paymentSigners = (secrets: string, addresses: string): Promise<Signers> =>
  cached(JSON.stringify([secrets, addresses]))

const cached = memoized(1, (settings) => {
  const [secrets, addresses] = JSON.parse(settings) as [string, string]
  return importSigners(
    'PAYMENTS_AUTHORITY',
    secrets,
    readAddresses('PAYMENTS_AUTHORITY_ADDRESSES', addresses),
  )
})
