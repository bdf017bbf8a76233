import { existsSync, readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { readKeyVersions, writeKeyVersions } from '../../keys/key-versions.ts'
import { paymentSigners } from '../../payments/keys.ts'
import { addressOf } from '../../solana/address.ts'
import { generateBackupKey } from '../../tools/keys/backup.ts'
import { generateCardKeys, generateSessionKeys } from '../../tools/keys/jwks.ts'
import { generatePaymentKeys, generateSecretKey, keyFileText, parseKey } from '../../tools/keys/solana.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../tools/keys/webhooks.ts'
import { addFeePayer, addKeySecret } from '../../tools/keys/x402.ts'
import { keyringOf } from '../../vault/keyring.ts'
import { readKeySecrets } from '../../x402/keys/facilitator-key.ts'
import { importFeePayers } from '../../x402/keys/fee-payers.ts'
import { type Deployment, type DeploymentFolder, SECRETS } from '../deploy/deployment.ts'
import { CommandError } from './errors.ts'

/** Returns the file of a recovery key's secret. No Worker has it: take it offline. */
export const recoveryFile = (keyVersion: number): string => `vault-recovery-${keyVersion}.json`

type Texts = Record<string, string>

/** The public parts of the keys, which are variables of wrangler.toml. */
export const PUBLIC = [
  'VAULT_MINT',
  'VAULT_AUTHORITY_ADDRESSES',
  'VAULT_RECOVERY_ADDRESSES',
  'PAYMENTS_AUTHORITY_ADDRESSES',
]

type Solana = Pick<Deployment, 'solana'>

/**
 * Returns the keys that makeKeys would write, and the names of those that it would make. Those differ at each
 * call.
 * @throws CommandError that names a missing setting, or keys that do not belong together
 */
export async function planKeys(
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  solana: Solana,
): Promise<{ keys: Texts; made: string[] }> {
  const { keys, made } = await keysOf(folder, env, solana, true)
  return { keys, made: Object.keys(made) }
}

/**
 * Makes the missing keys. Recorded keys stay; keys of the environment are taken. All are written in one step
 * before any of them is used.
 * @returns the public keys
 * @throws CommandError as {@link planKeys}, before anything is written
 */
export async function makeKeys(
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  solana: Solana,
  logins: Texts,
): Promise<Texts> {
  const { keys } = await keysOf(folder, env, solana, false)
  folder.writeJson(SECRETS, { ...keys, ...logins })
  return publicOf(keys, solana)
}

/** Returns the variables among the keys. */
export const publicOf = (keys: Texts, { solana }: Solana): Texts =>
  solana === 'none' ? {} : Object.fromEntries(PUBLIC.map((name) => [name, keys[name] ?? '']))

/** Returns all keys, and the new ones among them. */
async function keysOf(
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  solana: Solana,
  isPlan: boolean,
): Promise<{ keys: Texts; made: Texts }> {
  const stored = readSecrets(folder)
  const known = { ...stored, ...givenOf(env) }
  requireSolana(known, solana)
  requireStored(stored, givenOf(env))
  const made = await newKeys(known, folder, solana, isPlan)
  const keys = { ...known, ...made }
  if (solana.solana !== 'none') await requireMatching(keys)
  return { keys, made }
}

/** Returns the recorded keys. */
export const readSecrets = (folder: DeploymentFolder): Texts => (folder.read(SECRETS) ?? {}) as Texts

/** Settings of the fee payer and of facilitator keys: lists separated by commas. */
const X402 = ['X402_FEE_PAYER_KEY', 'X402_KEY_SECRET']

const givenOf = (env: NodeJS.ProcessEnv): Texts =>
  Object.fromEntries(GIVEN.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))

function requireSolana(known: Texts, { solana }: Solana): void {
  if (solana === 'none') return
  for (const names of [VAULT, PAYMENTS]) {
    const [unset, set] = [names.filter((name) => !known[name]), names.filter((name) => known[name])]
    if (set.length > 0 && unset.length > 0)
      throw new CommandError(
        `Set ${unset.join(' and ')} in the environment, since ${set.join(' and ')} is set, or unset that.`,
      )
  }
  const missing = ['SOLANA_RPC_URL', 'VAULT_MINT'].filter((name) => !known[name])
  if (missing.length > 0)
    throw new CommandError(
      `Set ${missing.join(' and ')}, which --solana ${solana.replace('solana:', '')} needs, or choose --solana none.`,
    )
}

/**
 * Checks that keys and addresses belong together. @throws CommandError that names the settings, never a key
 */
async function requireMatching(keys: Texts): Promise<void> {
  const of = (name: string) => keys[name] ?? ''
  try {
    await keyringOf({
      mint: of('VAULT_MINT'),
      authorityAddresses: of('VAULT_AUTHORITY_ADDRESSES'),
      recoveryAddresses: of('VAULT_RECOVERY_ADDRESSES'),
      authorityKeys: of('VAULT_AUTHORITY_KEYS'),
    })
    await paymentSigners(of('PAYMENTS_AUTHORITY_KEYS'), of('PAYMENTS_AUTHORITY_ADDRESSES'))
    await importFeePayers(of('X402_FEE_PAYER_KEY'))
    readKeySecrets(of('X402_KEY_SECRET'))
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new CommandError(`${cause.message}: set the right values in the environment.`, { cause })
  }
}

/**
 * Checks that no recorded key is replaced. The newest one owns the treasury, which would be lost.
 * @throws CommandError
 */
function requireStored(stored: Texts, settings: Texts): void {
  for (const name of [...VAULT, 'PAYMENTS_AUTHORITY_ADDRESSES']) {
    if (!stored[name] || !settings[name]) continue
    const known = readKeyVersions(name, settings[name])
    const lost = [...readKeyVersions(name, stored[name])].filter(([number, key]) => known.get(number) !== key)
    if (lost.length > 0)
      throw new CommandError(
        `${name} of the environment lacks key version ${lost.map(([number]) => number).join(', ')} of secrets.json: unset it, so that secrets.json is used.`,
      )
  }
  for (const name of X402) {
    const known = settings[name]?.split(',')
    if (known && stored[name]?.split(',').some((key) => !known.includes(key)))
      throw new CommandError(
        `${name} of the environment lacks a key of secrets.json: unset it, so that secrets.json is used.`,
      )
  }
}

/** Makes the keys that are not known. */
async function newKeys(
  known: Texts,
  folder: DeploymentFolder,
  { solana }: Solana,
  isPlan: boolean,
): Promise<Texts> {
  const now = new Date()
  return {
    ...(known.SESSION_SIGNING_KEY ? {} : await generateSessionKeys(now)),
    ...(known.WEBHOOK_SIGNING_KEYS ? {} : generateWebhookKeys()),
    ...(known.WEBHOOK_SECRETS_KEY ? {} : generateSecretsKey()),
    ...(known.CARD_SIGNING_KEY ? {} : await generateCardKeys(now)),
    ...(known.BACKUP_KEY ? {} : await generateBackupKey()),
    ...(solana === 'none' || known.PAYMENTS_AUTHORITY_KEYS ? {} : generatePaymentKeys()),
    ...(solana === 'none' || known.X402_FEE_PAYER_KEY ? {} : addFeePayer()),
    ...(solana === 'none' || known.X402_KEY_SECRET ? {} : addKeySecret()),
    ...(solana === 'none' || known.VAULT_AUTHORITY_KEYS ? {} : vaultKeys(folder, isPlan)),
  }
}

/**
 * Makes the vault's first key version, or the next one besides the recorded ones. Writes the recovery key's
 * file before its address is used.
 */
export function vaultKeys(folder: DeploymentFolder, isPlan: boolean, known: Texts = {}): Texts {
  const before = VAULT.map((name) => [...(known[name] ? readKeyVersions(name, known[name]) : [])])
  const keyVersion = Math.max(0, ...before.flat().map(([number]) => number)) + 1
  const authority = generateSecretKey()
  const file = recoveryFile(keyVersion)
  const path = folder.path(file)
  const recovery = (existsSync(path) && parseKey(readFileSync(path, 'utf8'))) || generateSecretKey()
  if (!isPlan && !existsSync(path)) folder.write(file, keyFileText(recovery))
  const added = [base58.encode(authority), ...[authority, recovery].map((key) => addressOf(key.subarray(32)))]
  return Object.fromEntries(
    VAULT.map((name, i) => [name, writeKeyVersions([...(before[i] ?? []), [keyVersion, added[i] ?? '']])]),
  )
}

/** The settings of the vault's keys: the authority's keys, their addresses, the recovery keys' addresses. */
export const VAULT = ['VAULT_AUTHORITY_KEYS', 'VAULT_AUTHORITY_ADDRESSES', 'VAULT_RECOVERY_ADDRESSES']
const PAYMENTS = ['PAYMENTS_AUTHORITY_KEYS', 'PAYMENTS_AUTHORITY_ADDRESSES']

/** Keys and addresses that an operator may bring along in the environment. */
export const GIVEN = ['SOLANA_RPC_URL', 'VAULT_MINT', ...VAULT, ...PAYMENTS, ...X402]

/** Returns the address of the newest authority, whose token account is the treasury. */
export const newestOf = (addresses: string): string =>
  [...readKeyVersions('VAULT_AUTHORITY_ADDRESSES', addresses)].at(-1)?.[1] ?? ''
