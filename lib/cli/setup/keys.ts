import { existsSync, readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { readKeyVersions, writeKeyVersions } from '../../keys/key-versions.ts'
import { addressOf } from '../../solana/address.ts'
import { generateBackupKey } from '../../tools/keys/backup.ts'
import { generateCardKeys, generateSessionKeys } from '../../tools/keys/jwks.ts'
import { generatePaymentKeys, generateSecretKey, keyFileText, parseKey } from '../../tools/keys/solana.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../tools/keys/webhooks.ts'
import { addFeePayer, addKeySecret } from '../../tools/keys/x402.ts'
import { type DeploymentFolder, SECRETS } from '../deploy/deployment.ts'
import { CommandError } from './errors.ts'
import type { Options } from './options.ts'

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

/**
 * Returns the names of the keys that makeKeys would make. @throws CommandError that names a missing setting
 */
export async function missingKeys(
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  options: Options,
): Promise<string[]> {
  const stored = readSecrets(folder)
  requireSolana({ ...stored, ...givenOf(env) }, options)
  requireStored(stored, givenOf(env))
  return Object.keys(await newKeys(stored, folder, env, options, true)).filter((name) => !(name in stored))
}

/**
 * Makes the missing keys. Recorded keys stay; keys of the environment are taken. All are written in one step
 * before any of them is used.
 * @returns the public keys
 */
export async function makeKeys(
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  options: Options,
  logins: Texts,
): Promise<Texts> {
  const stored = readSecrets(folder)
  requireSolana({ ...stored, ...givenOf(env) }, options)
  requireStored(stored, givenOf(env))
  const keys: Texts = {
    ...(await newKeys(stored, folder, env, options, false)),
    ...stored,
    ...givenOf(env),
    ...logins,
  }
  folder.writeJson(SECRETS, keys)
  return options.solana === 'none' ? {} : Object.fromEntries(PUBLIC.map((name) => [name, keys[name] ?? '']))
}

/** Returns the recorded keys. */
export const readSecrets = (folder: DeploymentFolder): Texts => (folder.read(SECRETS) ?? {}) as Texts

/** Keys and addresses that an operator may bring along. */
const GIVEN = ['SOLANA_RPC_URL', 'VAULT_AUTHORITY_KEYS', ...PUBLIC]

const givenOf = (env: NodeJS.ProcessEnv): Texts =>
  Object.fromEntries(GIVEN.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))

function requireSolana(known: Texts, { solana }: Options): void {
  if (solana === 'none') return
  const missing = ['SOLANA_RPC_URL', 'VAULT_MINT'].filter((name) => !known[name])
  if (missing.length > 0)
    throw new CommandError(
      `Set ${missing.join(' and ')}, which --solana ${solana.replace('solana:', '')} needs, or choose --solana none.`,
    )
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
}

async function newKeys(
  stored: Texts,
  folder: DeploymentFolder,
  env: NodeJS.ProcessEnv,
  { solana }: Options,
  isPlan: boolean,
): Promise<Texts> {
  const now = new Date()
  return {
    ...(stored.SESSION_SIGNING_KEY ? {} : await generateSessionKeys(now)),
    ...(stored.WEBHOOK_SIGNING_KEYS ? {} : generateWebhookKeys()),
    ...(stored.WEBHOOK_SECRETS_KEY ? {} : generateSecretsKey()),
    ...(stored.CARD_SIGNING_KEY ? {} : await generateCardKeys(now)),
    ...(stored.BACKUP_KEY ? {} : await generateBackupKey()),
    ...(solana === 'none' || stored.PAYMENTS_AUTHORITY_KEYS ? {} : generatePaymentKeys()),
    ...(solana === 'none' || stored.X402_FEE_PAYER_KEY ? {} : addFeePayer()),
    ...(solana === 'none' || stored.X402_KEY_SECRET ? {} : addKeySecret()),
    ...(solana === 'none' || stored.VAULT_AUTHORITY_KEYS || env.VAULT_AUTHORITY_KEYS
      ? {}
      : vaultKeys(folder, isPlan)),
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

/** Returns the address of the newest authority, whose token account is the treasury. */
export const newestOf = (addresses: string): string =>
  [...readKeyVersions('VAULT_AUTHORITY_ADDRESSES', addresses)].at(-1)?.[1] ?? ''
