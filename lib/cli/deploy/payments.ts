import { changedKeyVersions } from '../../keys/key-versions.ts'
import { readKeyVersions, recordKeyVersions } from '../../payments/key-version-queries.ts'
import { paymentSettings, paymentSigners } from '../../payments/keys.ts'
import { readFeeBps, readFeeStep } from '../../reputation/counterparties/settings.ts'
import { withDatabase } from '../database.ts'

/** A Worker to deploy: the fields that matter to payments. */
type Deployed = { group: string; vars: Record<string, string> }

/**
 * Checks the settings of payments before anything is deployed. They must be readable, the secret keys must
 * match the addresses, and no key may have two purposes.
 * @param all every Worker of wrangler.toml, of which some know the vault's keys
 * @throws TypeError that names the invalid setting, never a secret
 */
export async function requirePayments(
  workers: Deployed[],
  all: Deployed[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const vars = paymentsAmong(workers)
  if (!vars) return
  const { PAYMENTS_AUTHORITY_ADDRESSES = '', PROTOCOL_FEE_BPS = '', FEE_STEP = '' } = vars
  const { keyVersions, recoveries } = settingsOf(vars)
  const vaults = all.flatMap((worker) => VAULT_ADDRESSES.map((name) => worker.vars[name] ?? '')).join()
  if (keyVersions.some(({ authority }) => vaults.includes(authority)))
    throw new TypeError(
      'PAYMENTS_AUTHORITY_ADDRESSES has a key of the vault: use a separate key, so that a leak affects only one of them',
    )
  if (
    [...recoveries.values()].some((key) => vaults.includes(key) || PAYMENTS_AUTHORITY_ADDRESSES.includes(key))
  )
    throw new TypeError(
      'PAYMENTS_RECOVERY_ADDRESSES has a key of the vault or the payments authority: use a separate key, so that one holder alone cannot release jobs',
    )
  await paymentSigners(env.PAYMENTS_AUTHORITY_KEYS ?? '', PAYMENTS_AUTHORITY_ADDRESSES)
  readFeeBps(PROTOCOL_FEE_BPS)
  readFeeStep(FEE_STEP)
}

const VAULT_ADDRESSES = ['VAULT_AUTHORITY_ADDRESSES', 'VAULT_RECOVERY_ADDRESSES']

/**
 * Checks against the database that no needed key version is missing. A budget account that approves its
 * payout account needs it, and so does an open transaction. No version may change its address, since its
 * payout accounts would be unknown then.
 * @param env has DATABASE_URL
 * @throws Error that names the key versions
 */
export async function requirePaymentKeyVersions(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  const vars = paymentsAmong(workers)
  if (!vars) return
  const keyVersions = keyVersionsOf(vars)
  const named = new Set(keyVersions.map(({ keyVersion }) => keyVersion))
  const { needed, recorded } = await withDatabase(env, ({ db, now }) => readKeyVersions(db, now))
  const missing = needed.filter((keyVersion) => !named.has(keyVersion))
  if (missing.length > 0) {
    throw new Error(
      `PAYMENTS_AUTHORITY_ADDRESSES lacks key version ${missing.join(', ')}, which budget accounts still use: their charges could not be collected. Add it again`,
    )
  }
  const changed = changedKeyVersions(keyVersions, recorded)
  if (changed.length > 0) {
    throw new Error(
      `PAYMENTS_AUTHORITY_ADDRESSES: the address of key version ${changed.join(', ')} differs from the deployed one`,
    )
  }
}

/** Records the key versions that payments was deployed with. Call it after the deployment. */
export async function recordPayments(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  const vars = paymentsAmong(workers)
  if (vars) await withDatabase(env, ({ db }) => recordKeyVersions(db, keyVersionsOf(vars)))
}

const paymentsAmong = (workers: Deployed[]) => workers.find(({ group }) => group === 'payments')?.vars

const keyVersionsOf = (vars: Deployed['vars']) => settingsOf(vars).keyVersions

const settingsOf = (vars: Deployed['vars']) =>
  paymentSettings({
    mint: vars.VAULT_MINT ?? '',
    authorityAddresses: vars.PAYMENTS_AUTHORITY_ADDRESSES ?? '',
    vaultAuthorityAddresses: vars.VAULT_AUTHORITY_ADDRESSES ?? '',
    recoveryAddresses: vars.PAYMENTS_RECOVERY_ADDRESSES ?? '',
  })
