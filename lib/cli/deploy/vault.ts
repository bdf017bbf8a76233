import { changedKeyVersions } from '../../keys/key-versions.ts'
import { missingKeyVersions, newKeyVersions } from '../../vault/breaker/key-version-check.ts'
import { readKeyVersionState, recordDeployment } from '../../vault/breaker/switch-queries.ts'
import { escrowSettings, keyringOf } from '../../vault/keyring.ts'
import { yieldDayOf } from '../../vault/stacking/admission.ts'
import { withDatabase } from '../database.ts'

/** The Workers with the vault's keys. A stake is not settled if one of them lacks its key version. */
const KEY_WORKERS = ['vault', 'settlement'] as const

/** A Worker to deploy: the fields that matter to the vault. */
type Deployed = { group: string; vars: Record<string, string> }

/**
 * Checks the vault's settings against the database, before anything is deployed. Checks nothing if neither
 * the vault nor settlement is deployed.
 * @param env has DATABASE_URL and, for the vault, VAULT_AUTHORITY_KEYS
 * @throws Error, TypeError that name the invalid setting or key version
 */
export async function requireVault(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  const keyWorkers = keyWorkersAmong(workers)
  if (keyWorkers.length === 0) return
  const settings = keyWorkers.map(({ vars }) => publicSettings(vars))
  const [escrow] = settings.map(escrowSettings)
  const vault = keyWorkers.find(({ group }) => group === 'vault')
  if (vault) {
    await keyringOf({ ...publicSettings(vault.vars), authorityKeys: env.VAULT_AUTHORITY_KEYS ?? '' })
  }
  const recorded = await withDatabase(env, ({ db, now }) => readKeyVersionState(db, yieldDayOf(now)))
  const { keyVersions = [] } = escrow ?? {}
  const missing = missingKeyVersions(keyVersions, recorded)
  if (missing.length > 0) {
    throw new Error(
      `VAULT_AUTHORITY_ADDRESSES lacks key version ${missing.join(', ')}, which still has positions: their owners could not withdraw. Add it again`,
    )
  }
  const changed = changedKeyVersions(keyVersions, recorded.rows)
  if (changed.length > 0) {
    throw new Error(`the addresses of key version ${changed.join(', ')} differ from the deployed ones`)
  }
  const added = newKeyVersions(keyVersions, recorded)
  if (added.length > 0 && keyWorkers.length < KEY_WORKERS.length) {
    throw new Error(`key version ${added.join(', ')} is new: deploy ${KEY_WORKERS.join(' and ')} together`)
  }
}

/** Records the deployed key versions, if both Workers were deployed. */
export async function recordVault(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  const [keyWorker, ...others] = keyWorkersAmong(workers)
  if (!keyWorker || others.length === 0) return
  const { keyVersions } = escrowSettings(publicSettings(keyWorker.vars))
  await withDatabase(env, ({ db }) => recordDeployment(db, keyVersions))
}

const keyWorkersAmong = (workers: Deployed[]): Deployed[] =>
  workers.filter(({ group }) => KEY_WORKERS.some((keyWorker) => keyWorker === group))

const publicSettings = (vars: Record<string, string>) => ({
  mint: vars.VAULT_MINT ?? '',
  authorityAddresses: vars.VAULT_AUTHORITY_ADDRESSES ?? '',
  recoveryAddresses: vars.VAULT_RECOVERY_ADDRESSES ?? '',
})
