import { checkedWallets } from '../../auth/session/role-settings.ts'
import { parseTrustedProofs } from '../../reputation/attestations/proofs.ts'
import { readFeeSettings } from '../../reputation/dealings/settings.ts'
import { webhookPublicKey } from '../../tools/keys/webhooks.ts'

/** A Worker of wrangler.toml, as far as its settings are concerned. */
type Configured = { vars: Record<string, string> }

/**
 * Checks that every secret of these Workers is set, and that those that belong together match.
 * @throws Error that names the secret at fault, and repeats none
 */
export function requireSecrets(workers: { requiredSecrets: string[] }[], env: NodeJS.ProcessEnv): void {
  const missing = [...new Set(workers.flatMap(({ requiredSecrets }) => requiredSecrets))].filter(
    (name) => !env[name],
  )
  if (missing.length > 0) throw new Error(`set ${missing.join(', ')} (functions/operate.md, "Deployment")`)
  const { WEBHOOK_SIGNING_KEYS: signing, WEBHOOK_PUBLIC_KEYS: published = '' } = env
  const isShown = (key: string) => published.split(',').includes(webhookPublicKey(key))
  if (signing && published && !signing.split(',').every(isShown))
    throw new Error(
      'WEBHOOK_PUBLIC_KEYS lacks a key of WEBHOOK_SIGNING_KEYS: no receiver could verify what it signs',
    )
}

const ROLES = ['ORACLE_WALLETS', 'OPERATOR_WALLETS'] as const

/** Settings that must be the same in every Worker that has them, beside those of vault and payments. */
const SHARED = [
  'PIONEER_SPOTS',
  'API_HOST',
  'API_ORIGIN',
  'ARD_PUBLISHER',
  'ATTESTATION_ISSUERS',
  'PROTOCOL_FEE_BPS',
  'FEE_STEP',
  'MIN_PAID',
  ...ROLES,
]
/** What stands for a setting that a Worker has not, where those that it has are checked. */
const FEES = { PROTOCOL_FEE_BPS: '0', FEE_STEP: '1', MIN_PAID: '1' }
/** Those that may be empty. */
const OPTIONAL = ['ATTESTATION_ISSUERS', ...ROLES]

/**
 * Checks the variables of Workers that are to be deployed. What several Workers share is compared over all of
 * wrangler.toml: who is deployed alone must still agree with the others.
 * @throws Error, TypeError that name the variable at fault
 */
export function requireVariables(deployed: Configured[], all: Configured[]): void {
  const shared = sharedOf(all)
  for (const [name, value] of sharedOf(deployed)) {
    if (value === '' && !OPTIONAL.includes(name))
      throw new Error(`wrangler.toml: ${name} is empty (functions/operate.md, "Deployment")`)
    if (shared.some(([other, its]) => other === name && its !== value))
      throw new Error(`wrangler.toml: ${name} differs between Workers`)
  }
  for (const { vars } of deployed) {
    parseTrustedProofs(vars.ATTESTATION_ISSUERS ?? '')
    readFeeSettings({ ...FEES, ...vars })
    for (const role of ROLES) checkedWallets(role, vars[role] ?? '')
  }
}

const sharedOf = (workers: Configured[]): [string, string][] =>
  workers.flatMap(({ vars }) =>
    Object.entries(vars).filter(([name]) => /^(VAULT|PAYMENTS)_/.test(name) || SHARED.includes(name)),
  )
