import { loginDomainsOf } from '../../auth/login-domains.ts'
import { checkedWallets } from '../../auth/session/role-settings.ts'
import { parseStorageLimit } from '../../db/storage.ts'
import { parseEventRetention } from '../../events/retention.ts'
import { type EncryptedSecret, selectEncryptedSamples } from '../../events/secrets/reencrypt-queries.ts'
import { importSecretKeys, type SecretKeys } from '../../events/secrets/secrets.ts'
import { parseTrustedHosts } from '../../events/sending/destinations.ts'
import { parseSpots } from '../../pioneer/rules.ts'
import { parseTrustedProofs } from '../../reputation/attestations/proofs.ts'
import { readFeeSettings } from '../../reputation/counterparties/settings.ts'
import { parseChain } from '../../solana/chains.ts'
import { webhookPublicKey } from '../../tools/keys/webhooks.ts'
import { readLimits, readMinStake, readStacking } from '../../vault/stacking/admission.ts'
import { readJobs, readJudges, readMinPrice } from '../../work/settings.ts'
import { readCoins } from '../../x402/coins.ts'
import { type X402Vars, x402Settings } from '../../x402/settings.ts'
import { withDatabase } from '../database.ts'
import { chainOfCluster, connectCluster } from '../solana/cluster.ts'
import { secretNameOf } from './database-urls.ts'

/** A Worker of wrangler.toml: its variables. */
type Configured = { group: string; vars: Record<string, string> }

/**
 * Checks that every secret of these Workers is set, and that secrets match the public keys.
 * @throws Error that names the missing or invalid secret, and repeats none
 */
export function requireSecrets(
  workers: { group: string; requiredSecrets: string[] }[],
  env: NodeJS.ProcessEnv,
): void {
  const names = workers.flatMap(({ group, requiredSecrets }) =>
    requiredSecrets.flatMap((name) => [name, secretNameOf(group, name)]),
  )
  const missing = [...new Set(names)].filter((name) => !env[name])
  if (missing.length > 0)
    throw new Error(
      `Missing ${missing.join(', ')}: set it in the environment, or run npm run setup, which makes it`,
    )
  const { WEBHOOK_SIGNING_KEYS: signing, WEBHOOK_PUBLIC_KEYS: published = '' } = env
  const isShown = (key: string) => published.split(',').includes(webhookPublicKey(key))
  if (signing && published && !signing.split(',').every(isShown))
    throw new Error(
      'WEBHOOK_PUBLIC_KEYS lacks a key of WEBHOOK_SIGNING_KEYS: add it, because receivers could not verify its signatures',
    )
}

const ROLES = ['ORACLE_WALLETS', 'OPERATOR_WALLETS'] as const

/**
 * Settings that must be the same in every Worker that has them, besides the settings of vault and payments.
 */
const SHARED = [
  'PIONEER_SPOTS',
  'API_HOST',
  'API_ORIGIN',
  'ARD_PUBLISHER',
  'ATTESTATION_ISSUERS',
  'WEBHOOK_TRUSTED_HOSTS',
  'PROTOCOL_FEE_BPS',
  'FEE_STEP',
  'MIN_PAID',
  'ALERT_URL',
  'JOBS',
  ...ROLES,
]
/** Values for the settings that a Worker lacks, for the check of its other settings. */
const FEES = { PROTOCOL_FEE_BPS: '0', FEE_STEP: '1', MIN_PAID: '1' }
const YIELDS = { VAULT_YIELD_PER_WALLET: '1', VAULT_YIELD_PER_DAY: '1' }
/** Settings that may be empty. */
const OPTIONAL = [
  'ATTESTATION_ISSUERS',
  'X402_ASSETS',
  'WEBHOOK_TRUSTED_HOSTS',
  'ALERT_URL',
  'PAYMENTS_RECOVERY_ADDRESSES',
  ...ROLES,
]
/** Settings that are https URLs or empty. No message repeats one, since it may hold a token. */
export const URLS = ['HEARTBEAT_URL', 'ALERT_URL', 'FUNDING_URL'] as const

/**
 * Checks the variables of Workers to deploy. Shared settings are compared over all of wrangler.toml: a Worker
 * that is deployed alone must still agree with the others.
 * @throws Error, TypeError that name the invalid variable
 */
export function requireVariables(deployed: Configured[], all: Configured[]): void {
  const shared = sharedOf(all)
  // Without Solana, only agent cards would name the mint.
  const usesMint = deployed.some(({ group, vars }) => group !== 'protocols' && 'VAULT_MINT' in vars)
  for (const [name, value] of sharedOf(deployed)) {
    if (value === '' && !OPTIONAL.includes(name) && (name !== 'VAULT_MINT' || usesMint))
      throw new Error(`${name} is empty: set it in vars of .deployment/deployment.json`)
    if (shared.some(([other, its]) => other === name && its !== value))
      throw new Error(`${name} differs between Workers: set it only in vars of .deployment/deployment.json`)
  }
  for (const { vars } of deployed) requireValues(vars)
}

/** An address for the check of settings before the mint is known. */
const ANY_MINT = 'So11111111111111111111111111111111111111112'

/**
 * Checks the values of variables by their names, without keys. Each variable of wrangler.toml that an
 * operator may set has its check here.
 * @param vars the variables of one Worker, or of all
 * @throws Error, TypeError that name the invalid variable
 */
export function requireValues(vars: Record<string, string>): void {
  const of = (name: string, check: (value: string) => unknown) => {
    if (vars[name] !== undefined) check(vars[name])
  }
  of('ATTESTATION_ISSUERS', parseTrustedProofs)
  of('WEBHOOK_TRUSTED_HOSTS', parseTrustedHosts)
  of('EVENTS_KEPT_DAYS', parseEventRetention)
  of('DATABASE_LIMIT_BYTES', parseStorageLimit)
  of('PIONEER_SPOTS', parseSpots)
  of('VAULT_STACKING', readStacking)
  of('VAULT_MIN_STAKE', readMinStake)
  of('JOBS', readJobs)
  of('JOB_JUDGES', readJudges)
  of('JOB_MIN_PRICE', readMinPrice)
  of('X402_FEE', (fee) => readCoins('X402_FEE', fee))
  of('LOGIN_DOMAINS', requireDomains)
  for (const role of ROLES) of(role, (wallets) => checkedWallets(role, wallets))
  for (const name of URLS) of(name, (url) => requireUrl(name, url))
  for (const name of Object.keys(vars).filter(isCount)) of(name, (count) => requireCount(name, count))
  readFeeSettings({ ...FEES, ...vars })
  readLimits({ ...YIELDS, ...vars })
  if ('X402_MAX_FEE' in vars) x402Settings({ ...(vars as X402Vars), VAULT_MINT: vars.VAULT_MINT || ANY_MINT })
}

/** Limits by client address, and other whole numbers. */
const isCount = (name: string): boolean => name.endsWith('_PER_ADDRESS') || name === 'COMPUTE_UNIT_PRICE'

function requireCount(name: string, text: string): void {
  if (!/^\d{1,10}$/.test(text)) throw new TypeError(`${name} must be a whole number`)
}

function requireUrl(name: string, url: string): void {
  if (url !== '' && !(url.startsWith('https://') && URL.canParse(url)))
    throw new TypeError(`${name} must be an https URL, or empty`)
}

function requireDomains(setting: string): void {
  const isHost = (host: string) => ['https', 'http'].some((scheme) => hostAt(scheme, host) === host)
  const wrong = loginDomainsOf(setting).find((host) => !isHost(host))
  if (wrong !== undefined)
    throw new TypeError(`LOGIN_DOMAINS: "${wrong}" must be a host, such as app.example`)
}

const hostAt = (scheme: string, host: string): string | undefined => URL.parse(`${scheme}://${host}/`)?.host

const sharedOf = (workers: Configured[]): [string, string][] =>
  workers.flatMap(({ vars }) =>
    Object.entries(vars).filter(([name]) => /^(VAULT|PAYMENTS|X402)_/.test(name) || SHARED.includes(name)),
  )

/** A Worker to deploy: the fields that matter to the chain. */
type Deployed = { group: string; requiredSecrets: string[] }

/**
 * Checks that wallets sign for the cluster that the Workers settle on. A transaction that is signed for
 * another cluster fails, at best. Checks nothing if neither the console nor a Worker with an RPC node is
 * deployed.
 * @param env has SOLANA_RPC_URL, and SOLANA_CHAIN unless it is mainnet
 * @throws Error that names both clusters, or the invalid setting; never the URL, which may hold a key
 */
export async function requireChain(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  if (!workers.some(hasChain)) return
  const { SOLANA_RPC_URL: url = '' } = env
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new Error('SOLANA_RPC_URL must be an http or https URL (functions/operate.md, "Deployment")')
  const expected = parseChain(env.SOLANA_CHAIN || 'solana:mainnet')
  const actual = await chainOfCluster(connectCluster(url))
  if (actual !== expected)
    throw new Error(`SOLANA_CHAIN is ${expected}, but the node of SOLANA_RPC_URL is on ${actual}`)
}

const hasChain = ({ group, requiredSecrets }: Deployed): boolean =>
  group === 'console' || requiredSecrets.includes('SOLANA_RPC_URL')

/**
 * Checks that WEBHOOK_SECRETS_KEY can be read, if a Worker that needs it is deployed. Checks against the
 * database that it decrypts one webhook endpoint's secret for each key in use.
 * @param env has DATABASE_URL
 * @throws TypeError, Error that name the setting and the keys' ids, never a key
 */
export async function requireSecretKeys(
  workers: { requiredSecrets: string[] }[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (!workers.some(({ requiredSecrets }) => requiredSecrets.includes('WEBHOOK_SECRETS_KEY'))) return
  const keys = await importSecretKeys(env.WEBHOOK_SECRETS_KEY ?? '')
  const samples = await withDatabase(env, ({ db, now }) => selectEncryptedSamples(db, now))
  const missing = await Promise.all(samples.map((sample) => unopenedBy(keys, sample)))
  const names = [...new Set(missing.flat())].toSorted()
  if (names.length > 0)
    throw new Error(
      `WEBHOOK_SECRETS_KEY lacks the key ${names.join(', ')} or has a wrong one: webhooks could not be sent to the endpoints whose secrets it encrypts. Put it back (functions/operate.md, "Rotation")`,
    )
}

const unopenedBy = async (keys: SecretKeys, { id, encrypted }: EncryptedSecret): Promise<string[]> => {
  const [name = ''] = encrypted.split(':')
  return keys.open(id, encrypted).then(
    () => [],
    () => [name],
  )
}
