import { existsSync, readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { readAddresses, readKeyVersions, writeKeyVersions } from '../../keys/key-versions.ts'
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

/** The recovery keys by the setting of their addresses. No Worker has a secret: take the files offline. */
const RECOVERIES = {
  VAULT_RECOVERY_ADDRESSES: {
    fileOf: (keyVersion: number) => `vault-recovery-${keyVersion}.json`,
    power: 'it and an owner’s key together can withdraw positions',
  },
  PAYMENTS_RECOVERY_ADDRESSES: {
    fileOf: (keyVersion: number) => `payments-recovery-${keyVersion}.json`,
    power: 'it and a hirer’s key together can take the money out of that hirer’s jobs',
  },
}

type RecoverySetting = keyof typeof RECOVERIES

type Texts = Record<string, string>

/** The public parts of the keys, which are variables of wrangler.toml. */
export const PUBLIC = [
  'VAULT_MINT',
  'VAULT_AUTHORITY_ADDRESSES',
  'VAULT_RECOVERY_ADDRESSES',
  'PAYMENTS_AUTHORITY_ADDRESSES',
  'PAYMENTS_RECOVERY_ADDRESSES',
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
  try {
    const made = await newKeys(known, folder, solana, isPlan)
    const keys = { ...known, ...made }
    if (solana.solana !== 'none') await requireMatching(keys)
    return { keys, made }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new CommandError(`${cause.message}: set the right values in the environment.`, { cause })
  }
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

/** Checks that keys and addresses belong together. @throws TypeError that names the settings, never a key */
async function requireMatching(keys: Texts): Promise<void> {
  const of = (name: string) => keys[name] ?? ''
  await keyringOf({
    mint: of('VAULT_MINT'),
    authorityAddresses: of('VAULT_AUTHORITY_ADDRESSES'),
    recoveryAddresses: of('VAULT_RECOVERY_ADDRESSES'),
    authorityKeys: of('VAULT_AUTHORITY_KEYS'),
  })
  await paymentSigners(of('PAYMENTS_AUTHORITY_KEYS'), of('PAYMENTS_AUTHORITY_ADDRESSES'))
  readAddresses('PAYMENTS_RECOVERY_ADDRESSES', of('PAYMENTS_RECOVERY_ADDRESSES'))
  await importFeePayers(of('X402_FEE_PAYER_KEY'))
  readKeySecrets(of('X402_KEY_SECRET'))
}

/**
 * Checks that no recorded key is replaced. The newest one owns the treasury, which would be lost.
 * @throws CommandError
 */
function requireStored(stored: Texts, settings: Texts): void {
  for (const name of [...VAULT, 'PAYMENTS_AUTHORITY_ADDRESSES', 'PAYMENTS_RECOVERY_ADDRESSES']) {
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
    ...(solana === 'none' ? {} : missingPaymentKeys(known, folder, isPlan)),
    ...(solana === 'none' || known.X402_FEE_PAYER_KEY ? {} : addFeePayer()),
    ...(solana === 'none' || known.X402_KEY_SECRET ? {} : addKeySecret()),
    ...(solana === 'none' || known.VAULT_AUTHORITY_KEYS ? {} : vaultKeys(folder, isPlan)),
  }
}

/** Makes the missing keys of payments. A deployment of a former release lacks only the recovery key. */
const missingPaymentKeys = (known: Texts, folder: DeploymentFolder, isPlan: boolean): Texts =>
  (known.PAYMENTS_AUTHORITY_KEYS ? jobRecovery : paymentKeys)(known, folder, isPlan)

/** Makes the first or next key version of payments: an authority, and the recovery key of jobs. */
export function paymentKeys(known: Texts, folder: DeploymentFolder, isPlan: boolean): Texts {
  const authority = generatePaymentKeys(known.PAYMENTS_AUTHORITY_KEYS, known.PAYMENTS_AUTHORITY_ADDRESSES)
  return { ...authority, ...jobRecovery({ ...known, ...authority }, folder, isPlan) }
}

/**
 * Makes the recovery key of jobs for the newest key version of payments, if that has none. Older versions get
 * none, since no job is funded under them any more.
 */
function jobRecovery(known: Texts, folder: DeploymentFolder, isPlan: boolean): Texts {
  const { PAYMENTS_AUTHORITY_ADDRESSES: authorities = '', PAYMENTS_RECOVERY_ADDRESSES: recoveries } = known
  const versions = readKeyVersions('PAYMENTS_AUTHORITY_ADDRESSES', authorities).keys()
  const newest = Math.max(...versions)
  const before = recoveries ? readKeyVersions('PAYMENTS_RECOVERY_ADDRESSES', recoveries) : new Map()
  if (before.has(newest)) return {}
  const added = recoveryAddress('PAYMENTS_RECOVERY_ADDRESSES', newest, folder, isPlan)
  return { PAYMENTS_RECOVERY_ADDRESSES: writeKeyVersions([...before, [newest, added]]) }
}

/**
 * Returns the address of a recovery key. Takes the key of its file, or writes a new one before the address is
 * used.
 * @throws CommandError if the file has no key
 */
function recoveryAddress(
  setting: RecoverySetting,
  keyVersion: number,
  folder: DeploymentFolder,
  isPlan: boolean,
): string {
  const file = RECOVERIES[setting].fileOf(keyVersion)
  const path = folder.path(file)
  const isWritten = existsSync(path)
  const key = isWritten ? parseKey(readFileSync(path, 'utf8')) : generateSecretKey()
  if (key === undefined) throw new CommandError(`${path} has no key: move it away, and run this again.`)
  if (!isPlan && !isWritten) folder.write(file, keyFileText(key))
  return addressOf(key.subarray(32))
}

/** Returns a line for each recovery key of these settings whose file is still in the folder. */
export const movesOffline = (folder: DeploymentFolder, settings: Texts): string[] =>
  Object.entries(RECOVERIES).flatMap(([setting, { fileOf, power }]) => {
    const versions = settings[setting] ? [...readKeyVersions(setting, settings[setting]).keys()] : []
    const paths = versions.map((keyVersion) => folder.path(fileOf(keyVersion)))
    return paths
      .filter((path) => existsSync(path))
      .map((path) => `MOVE ${path} offline, off this machine: ${power}.`)
  })

/**
 * Makes the vault's first key version, or the next one besides the recorded ones. Writes the recovery key's
 * file before its address is used.
 */
export function vaultKeys(folder: DeploymentFolder, isPlan: boolean, known: Texts = {}): Texts {
  const before = VAULT.map((name) => [...(known[name] ? readKeyVersions(name, known[name]) : [])])
  const keyVersion = Math.max(0, ...before.flat().map(([number]) => number)) + 1
  const authority = generateSecretKey()
  const recovery = recoveryAddress('VAULT_RECOVERY_ADDRESSES', keyVersion, folder, isPlan)
  const added = [base58.encode(authority), addressOf(authority.subarray(32)), recovery]
  return Object.fromEntries(
    VAULT.map((name, i) => [name, writeKeyVersions([...(before[i] ?? []), [keyVersion, added[i] ?? '']])]),
  )
}

/** The settings of the vault's keys: the authority's keys, their addresses, the recovery keys' addresses. */
export const VAULT = ['VAULT_AUTHORITY_KEYS', 'VAULT_AUTHORITY_ADDRESSES', 'VAULT_RECOVERY_ADDRESSES']
const PAYMENTS = ['PAYMENTS_AUTHORITY_KEYS', 'PAYMENTS_AUTHORITY_ADDRESSES']

/** Keys and addresses that an operator may bring along in the environment. */
export const GIVEN = [
  'SOLANA_RPC_URL',
  'VAULT_MINT',
  ...VAULT,
  ...PAYMENTS,
  'PAYMENTS_RECOVERY_ADDRESSES',
  ...X402,
]

/** Returns the address of the newest authority, whose token account is the treasury. */
export const newestOf = (addresses: string): string =>
  [...readKeyVersions('VAULT_AUTHORITY_ADDRESSES', addresses)].at(-1)?.[1] ?? ''
