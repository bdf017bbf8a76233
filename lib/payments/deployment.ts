import type { Wire } from '../../schema/wire/common.ts'
import type { Deployment } from '../../schema/wire/payments.ts'
import { readAddress, readAddresses, requireSameKeyVersions } from '../keys/key-versions.ts'
import type { Address } from '../solana/address.ts'
import { associatedTokenAddress } from '../solana/programs/associated-token.ts'

/** The public settings of a deployment, as configured: lists name key versions. */
type PublicSettings = {
  mint: string
  vaultAuthorityAddresses: string
  vaultRecoveryAddresses: string
  paymentsAuthorityAddresses: string
  /** Empty in a deployment without jobs. */
  paymentsRecoveryAddresses?: string | undefined
}

/**
 * Returns what a client compares transactions with (lib/client/verify): the mint, the protocol fee, the
 * treasury, and all keys by version, the oldest first.
 * @throws TypeError that names the setting that can't be read
 */
export async function deploymentView(
  settings: PublicSettings,
  feeBps: number,
): Promise<Wire<typeof Deployment>> {
  const authorities = readAddresses('VAULT_AUTHORITY_ADDRESSES', settings.vaultAuthorityAddresses)
  const recoveries = readAddresses('VAULT_RECOVERY_ADDRESSES', settings.vaultRecoveryAddresses)
  requireSameKeyVersions({ VAULT_AUTHORITY_ADDRESSES: authorities, VAULT_RECOVERY_ADDRESSES: recoveries })
  const payments = readAddresses('PAYMENTS_AUTHORITY_ADDRESSES', settings.paymentsAuthorityAddresses)
  const jobRecoveries = settings.paymentsRecoveryAddresses
    ? readAddresses('PAYMENTS_RECOVERY_ADDRESSES', settings.paymentsRecoveryAddresses)
    : new Map<number, Address>()
  const mint = readAddress('VAULT_MINT', settings.mint)
  return {
    mint,
    feeBps,
    treasury: await associatedTokenAddress([...authorities.values()].at(-1) as Address, mint),
    vaultKeys: [...authorities].map(([version, authority]) => ({
      version,
      authority,
      recovery: recoveries.get(version) as Address,
    })),
    paymentKeys: [...payments].map(([version, authority]) => ({
      version,
      authority,
      recovery: jobRecoveries.get(version),
    })),
  }
}
