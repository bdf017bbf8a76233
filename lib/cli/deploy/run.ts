import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeServerJson } from '../../tools/description/server-json.ts'
import { readRaw, readWorkers, type WorkerConfig } from '../../tools/wrangler.ts'
import { configFor, type RawConfig } from './config.ts'
import { keptAs } from './database-urls.ts'
import type { Deployment, DeploymentFolder } from './deployment.ts'
import { inOrder } from './order.ts'
import { recordPayments, requirePaymentGenerations, requirePayments } from './payments.ts'
import { requireChain, requireSecretKeys, requireSecrets, requireVariables } from './settings.ts'
import { recordVault, requireVault } from './vault.ts'
import { childEnv, wrangler } from './wrangler.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** wrangler.toml and the deployment's own, as wrangler gets them. */
const CONFIG = 'wrangler.json'
/** A Worker's secrets while it goes up. */
const UPLOAD = 'upload.json'
/** What went up last, by group: hashes. */
const DEPLOYED = 'deployed.json'

type Options = {
  env: NodeJS.ProcessEnv
  /** The Workers to deploy; empty: all. */
  groups?: string[]
  /** The names of Workers that are there: one whose code, settings and secrets have not changed is left. */
  there?: Set<string>
  timeoutMs: number
  onOutput?: (text: string) => void
  onWorker?: (name: string, isLeft: boolean) => void
}

/**
 * Deploys Workers of a deployment, each with exactly the secrets that wrangler.toml requires of it. Before
 * the first one goes up, every setting is checked.
 * @throws Error that names the setting at fault; WranglerError
 */
export async function deployAll(folder: DeploymentFolder, options: Options): Promise<WorkerConfig[]> {
  const { groups = [], timeoutMs, onOutput, onWorker, there = new Set() } = options
  const deployment = folder.deployment()
  const config = configFor(readRaw() as RawConfig, deployment, (path) => join(ROOT, path))
  folder.writeJson(CONFIG, config)
  const all = inOrder(readWorkers(folder.path(CONFIG)))
  const workers = all.filter(({ group }) => groups.length === 0 || groups.includes(group))
  if (workers.length === 0) throw new Error(`the deployment has no Worker ${groups.join(', ')}`)
  const env: NodeJS.ProcessEnv = { ...folder.secrets(), SOLANA_CHAIN: '' }
  await requireSettings(workers, all, env, deployment.solana)
  // What a run left that was killed: a Worker's secrets, and what wrangler had bundled.
  for (const left of [UPLOAD, '.wrangler']) folder.remove(left)
  const sources = hashOfSources()
  for (const worker of workers) {
    const { group, name } = worker
    const secrets = Object.fromEntries(
      worker.requiredSecrets.map((secret) => [secret, env[keptAs(group, secret)]]),
    )
    const hash = hashOf(sources, JSON.stringify([config.env[group], secrets, deployment.solana]))
    const { [group]: last, ...deployed } = (folder.read(DEPLOYED) ?? {}) as Record<string, string>
    const isLeft = there.has(name) && last === hash
    onWorker?.(name, isLeft)
    if (isLeft) continue
    // Who is killed while it goes up leaves half of it.
    folder.writeJson(DEPLOYED, deployed)
    folder.writeJson(UPLOAD, secrets)
    try {
      const args = ['deploy', '--config', folder.path(CONFIG), '--env', group]
      await wrangler([...args, '--secrets-file', folder.path(UPLOAD)], {
        env: childEnv(options.env, {
          CLOUDFLARE_ACCOUNT_ID: deployment.accountId,
          SOLANA_CHAIN: deployment.solana,
        }),
        timeoutMs,
        ...(onOutput && { onOutput }),
      })
    } finally {
      folder.remove(UPLOAD)
    }
    folder.writeJson(DEPLOYED, { ...deployed, [group]: hash })
  }
  await recordVault(workers, env)
  await recordPayments(workers, env)
  writeServerJson(all)
  return workers
}

async function requireSettings(
  workers: WorkerConfig[],
  all: WorkerConfig[],
  env: NodeJS.ProcessEnv,
  solana: Deployment['solana'],
) {
  requireSecrets(workers, env)
  requireVariables(workers, all)
  if (solana !== 'none') await requireChain(workers, { ...env, SOLANA_CHAIN: solana })
  await requirePayments(workers, all, env)
  await requireSecretKeys(workers, env)
  await requirePaymentGenerations(workers, env)
  await requireVault(workers, env)
}

/** A hash of everything that Workers are made of; the packages by the lock file. */
function hashOfSources(): string {
  const sources = ['functions', 'lib', 'schema'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,css,html,json}`, {
      cwd: ROOT,
      exclude: (name) => String(name).includes('node_modules') || String(name).endsWith('lib/cli'),
    }),
  )
  const files = ['wrangler.toml', 'package-lock.json', 'openapi.json', ...sources.toSorted()]
  return hashOf(...files.flatMap((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

const hashOf = (...texts: string[]): string =>
  texts.reduce((hash, text) => hash.update(`\0${text}`), createHash('sha256')).digest('hex')
