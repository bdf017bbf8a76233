import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { CRED_DECIMALS, cred, formatAmount } from '../../schema/amounts.ts'
import { publicKeyBytes } from '../../schema/wallet.ts'
import { writeKeyVersions } from '../keys/key-versions.ts'
import { generateSecretKey, keyFileText, type SecretKey } from '../tools/keys/solana.ts'
import { generateKeySecret } from '../tools/keys/x402.ts'
import { readCommandLine, required, runMain, UsageError } from './arguments.ts'
import { type Cluster, chainOfCluster, connectCluster, ensureSol } from './solana/cluster.ts'
import { readKeyFile, signerOf } from './solana/key-files.ts'
import { prepareMint } from './solana/mint.ts'

/** Lamports: what a wallet needs (mint, treasury and fees cost 4,000,000), and the airdrop if it has less. */
const SOL = { needed: 10_000_000n, airdrop: 1_000_000_000n }

/** The Token program stores a supply of base units in 64 bits. */
const MAX_TREASURY_CRED = 18_000_000_000n

/**
 * `npm run devnet`: prepares a test cluster for the vault (keys, mint, treasury), and writes the settings for
 * `npm run dev` and a deployment. A second run keeps existing parts and adds missing ones.
 */
async function main() {
  const { cluster, envFile, folder, keyOptions, treasury } = readSettings()
  const chain = await chainOfCluster(cluster)
  // A mint that is made on mainnet by mistake can't be removed.
  if (chain === 'solana:mainnet') {
    throw new UsageError('--rpc is mainnet, but this prepares only test clusters')
  }
  const authorityKey = keyOf(folder, 'authority', keyOptions.authority)
  const mintKey = keyOf(folder, 'mint', keyOptions.mint)
  const authority = await signerOf('--authority', authorityKey)
  const recovery = await recoveryAddress(folder, 'recovery', keyOptions.recovery)
  await signerOf('--mint', mintKey)
  if (recovery === authority.address) {
    throw new UsageError('--recovery and --authority must differ: one holder could release every stake')
  }

  const paymentsKey = keyOf(folder, 'payments', keyOptions.payments)
  const payments = await signerOf('--payments', paymentsKey)
  if (payments.address === authority.address) {
    throw new UsageError(
      '--payments and --authority must differ: a leak of the payments key would affect the vault',
    )
  }

  const jobRecovery = await recoveryAddress(folder, 'payments-recovery', keyOptions.paymentsRecovery)
  if ([authority.address, recovery, payments.address].includes(jobRecovery)) {
    throw new UsageError(
      '--payments-recovery must differ from the other keys: one holder alone could release jobs',
    )
  }

  const feePayerKey = keyOf(folder, 'fee-payer', keyOptions.feePayer)
  const feePayer = await signerOf('--fee-payer', feePayerKey)
  if ([authority.address, payments.address, jobRecovery].includes(feePayer.address)) {
    throw new UsageError(
      '--fee-payer must differ from the other keys: it pays for strangers and must own nothing',
    )
  }

  const airdropped = await ensureSol(cluster, authority.address, SOL)
  await ensureSol(cluster, feePayer.address, SOL)
  const prepared = await prepareMint(cluster, { mint: mintKey, authority: authorityKey }, treasury)
  const settings = {
    SOLANA_RPC_URL: cluster.url,
    SOLANA_CHAIN: chain,
    VAULT_MINT: prepared.mint,
    VAULT_AUTHORITY_KEYS: firstKeyVersion(base58.encode(authorityKey)),
    VAULT_AUTHORITY_ADDRESSES: firstKeyVersion(authority.address),
    VAULT_RECOVERY_ADDRESSES: firstKeyVersion(recovery),
    PAYMENTS_AUTHORITY_KEYS: firstKeyVersion(base58.encode(paymentsKey)),
    PAYMENTS_AUTHORITY_ADDRESSES: firstKeyVersion(payments.address),
    PAYMENTS_RECOVERY_ADDRESSES: firstKeyVersion(jobRecovery),
    X402_FEE_PAYER_KEY: base58.encode(feePayerKey),
    X402_KEY_SECRET: secretFrom(envFile),
  }
  const isWritten = writeSettings(envFile, settings)
  console.log(`authority  ${authority.address}${airdropped > 0n ? ' (1 SOL from the faucet)' : ''}`)
  console.log(`recovery   ${recovery}`)
  console.log(`payments   ${payments.address}`)
  console.log(`recovery   ${jobRecovery} (of jobs)`)
  console.log(`fee payer  ${feePayer.address}`)
  console.log(`mint       ${prepared.mint}${prepared.made ? ' (made)' : ''}`)
  console.log(`treasury   ${prepared.treasury} holds ${formatAmount(cred(prepared.balance))} CRED`)
  if (prepared.minted > 0n) console.log(`           (${formatAmount(cred(prepared.minted))} CRED minted now)`)
  console.log(`keys       ${folder}\nsettings   ${envFile}${isWritten ? ' (written)' : ''}\n`)
  for (const [name, value] of Object.entries(shown(settings, cluster, envFile)))
    console.log(line(name, value))
}

/** Returns a setting of key versions, with the first one. */
const firstKeyVersion = (value: string) => writeKeyVersions([[1, value]])

/** Hides the secrets of the settings: a node's URL may have an access key. */
const shown = <T extends object>(settings: T, { url, name }: Cluster, envFile: string) => ({
  ...settings,
  SOLANA_RPC_URL: new URL(url).pathname + new URL(url).search === '/' ? url : `… (of ${name}; in ${envFile})`,
  VAULT_AUTHORITY_KEYS: `… (secret; in ${envFile})`,
  PAYMENTS_AUTHORITY_KEYS: `… (secret; in ${envFile})`,
  X402_FEE_PAYER_KEY: `… (secret; in ${envFile})`,
  X402_KEY_SECRET: `… (secret; in ${envFile})`,
})

const line = (name: string, value: string) => `${name}='${value}'`

/**
 * Returns the secret in the file, since another one would end all agents' keys. Without one, makes it.
 */
function secretFrom(file: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return /^X402_KEY_SECRET='([^']+)'$/m.exec(text)?.[1] ?? generateKeySecret()
}

/**
 * Writes the settings into a file that only its owner can read. Its other lines stay.
 * @returns whether the file has changed
 */
function writeSettings(file: string, settings: Record<string, string>): boolean {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const others = before
    .split('\n')
    .filter((text) => text !== '' && !Object.keys(settings).some((name) => text.startsWith(`${name}=`)))
  const lines = [...others, ...Object.entries(settings).map(([name, value]) => line(name, value))]
  const after = `${lines.join('\n')}\n`
  if (after === before) return false
  writeFileSync(`${file}.tmp`, after, { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
  return true
}

/**
 * Returns the key of an option, else the one in the folder, else a new one, which it writes to the folder.
 */
function keyOf(folder: string, name: string, path: string | undefined): SecretKey {
  if (path !== undefined) return readKeyFile(`--${name}`, path)
  const file = join(folder, `${name}.json`)
  if (existsSync(file)) return readKeyFile(file, file)
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const key = generateSecretKey()
  writeFileSync(file, keyFileText(key), { mode: 0o600, flag: 'wx' })
  return key
}

/** Returns a recovery key's address. Its secret is not needed here and may have been made elsewhere. */
async function recoveryAddress(folder: string, name: string, option: string | undefined): Promise<string> {
  if (option !== undefined && publicKeyBytes(option)) return option
  return (await signerOf(`--${name}`, keyOf(folder, name, option))).address
}

function readSettings() {
  const { values } = readCommandLine('devnet')
  const { authority, mint, payments, recovery } = values
  const { 'fee-payer': feePayer, 'payments-recovery': paymentsRecovery } = values
  return {
    cluster: connectCluster(required('--rpc', values.rpc)),
    treasury: treasuryUnits(values.treasury),
    keyOptions: { authority, feePayer, mint, payments, paymentsRecovery, recovery },
    folder: values.keys,
    envFile: values.env,
  }
}

function treasuryUnits(text: string): bigint {
  if (/^\d{1,11}$/.test(text) && BigInt(text) <= MAX_TREASURY_CRED) {
    return BigInt(text) * 10n ** BigInt(CRED_DECIMALS)
  }
  throw new UsageError(`--treasury must be whole CRED, at most ${MAX_TREASURY_CRED}`)
}

await runMain('devnet', main)
