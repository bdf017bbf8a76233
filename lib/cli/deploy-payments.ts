import { readFeeBps, readFeeStep } from '../dealings/settings.ts'
import { paymentSettings, paymentSigners } from '../payments/keys.ts'

/** A Worker that is to be deployed, as far as payments are concerned. */
type Deployed = { group: string; vars: Record<string, string> }

/**
 * Checks the settings of payments before anything is deployed: that they can be read, that the secret keys
 * are those of the addresses, and that no key of the vault's is among them.
 * @throws TypeError that names the setting at fault, never a secret
 */
export async function requirePayments(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  const payments = workers.find(({ group }) => group === 'payments')
  if (!payments) return
  const {
    VAULT_MINT: mint = '',
    VAULT_AUTHORITY_ADDRESSES: vaultAuthorityAddresses = '',
    PAYMENTS_AUTHORITY_ADDRESSES: authorityAddresses = '',
    PROTOCOL_FEE_BPS = '',
    FEE_STEP = '',
  } = payments.vars
  const { generations } = paymentSettings({ mint, authorityAddresses, vaultAuthorityAddresses })
  if (generations.some(({ authority }) => vaultAuthorityAddresses.includes(authority)))
    throw new TypeError(
      'PAYMENTS_AUTHORITY_ADDRESSES names a key of the vault’s: a leak of one would reach the other',
    )
  await paymentSigners(env.PAYMENTS_AUTHORITY_KEYS ?? '', authorityAddresses)
  readFeeBps(PROTOCOL_FEE_BPS)
  readFeeStep(FEE_STEP)
}
