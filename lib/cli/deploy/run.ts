import { join } from 'node:path'
import { writeServerJson } from '../../tools/description/server-json.ts'
import { writeDriver } from '../../tools/driver.ts'
import { readWorkers, type WorkerConfig } from '../../tools/wrangler.ts'
import { configFor, type RawConfig } from './config.ts'
import { secretNameOf } from './database-urls.ts'
import type { Deployment, DeploymentFolder } from './deployment.ts'
import { inOrder } from './order.ts'
import { recordPayments, requirePaymentKeyVersions, requirePayments } from './payments.ts'
import { requireChain, requireSecretKeys, requireSecrets, requireVariables } from './settings.ts'
import { hashOf, type Source, thisSource } from './source.ts'
import { recordVault, requireVault } from './vault.ts'
import { childEnv, wrangler } from './wrangler.ts'
import { requireX402 } from './x402.ts'

/** The configuration that wrangler gets: wrangler.toml with the deployment's values. */
const CONFIG = 'wrangler.json'
/** The configuration of the Workers that run. */
export const RUNNING = 'running.json'
/** A Worker's secrets during its upload. */
const UPLOAD = 'upload.json'
/** Hashes of the last upload, by group. */
const DEPLOYED = 'deployed.json'

/** The environment and time limit of wrangler. */
type Run = { env: NodeJS.ProcessEnv; timeoutMs: number; onOutput?: (text: string) => void }

type Options = Run & {
  /** The Workers to deploy; empty: all. */
  groups?: string[]
  /** The names of the deployed Workers. One with unchanged code, settings and secrets is skipped. */
  there?: Set<string>
  onWorker?: (name: string, isLeft: boolean) => void
  source?: Source
}

/**
 * Deploys Workers of a deployment, each with exactly the secrets that wrangler.toml requires of it. Checks
 * every setting before the first upload.
 * @throws Error that names the invalid setting; WranglerError
 */
export async function deployAll(folder: DeploymentFolder, options: Options): Promise<WorkerConfig[]> {
  const { groups = [], onWorker, there = new Set(), source = thisSource() } = options
  const made = makeConfig(folder, source)
  const { all, config, env } = made
  const workers = all.filter(({ group }) => groups.length === 0 || groups.includes(group))
  if (workers.length === 0) throw new Error(`the deployment has no Worker ${groups.join(', ')}`)
  await requireSettings(workers, made)
  requireClasses(workers, config, folder.read(RUNNING) as RawConfig | undefined)
  for (const worker of workers) {
    const { group, name } = worker
    const { [group]: last, ...deployed } = readDeployed(folder)
    const hash = made.hashes[group] ?? ''
    const isLeft = there.has(name) && last === hash
    onWorker?.(name, isLeft)
    if (isLeft) continue
    // A run that is killed during the upload leaves half of it.
    writeDeployed(folder, deployed)
    await withSecrets(folder, made, worker, (file) =>
      runWrangler(folder, made, ['deploy', '--secrets-file', file], group, options),
    )
    writeDeployed(folder, { ...deployed, [group]: hash })
  }
  await recordSettings(workers, env)
  writeServerJson(all)
  if (groups.length === 0) folder.writeJson(RUNNING, config)
  return workers
}

export type Made = ReturnType<typeof makeConfig>

/** Writes the configuration that wrangler gets, and returns it with the deployment's Workers. */
export function makeConfig(
  folder: DeploymentFolder,
  { root, base, release }: Source,
  file = CONFIG,
  deployment = folder.deployment(),
) {
  if (base.alias) writeDriver(root)
  const config = configFor(base, deployment, (path) => join(root, path))
  // Relative paths: the same code in another folder has the same hash.
  const { env: anywhere } = configFor(base, deployment, (path) => path)
  folder.writeJson(file, config)
  const all = inOrder(readWorkers(folder.path(file)))
  const env: NodeJS.ProcessEnv = { ...folder.secrets(), SOLANA_CHAIN: '' }
  const hash = (worker: WorkerConfig) =>
    hashOf(
      release.sources,
      JSON.stringify([anywhere[worker.group], secretsOf(worker, env), ...builtFor(deployment)]),
    )
  /** By group: the hash that changes with the Worker. */
  const hashes: Record<string, string> = Object.fromEntries(all.map((one) => [one.group, hash(one)]))
  return { deployment, config, all, env, hashes }
}

/**
 * Refuses code without a Durable Object class that the deployed Worker has, since Cloudflare does not take
 * it. After a rollback a Worker may have a class of a later release, whose code still runs.
 * @throws Error that names the Worker
 */
function requireClasses(workers: WorkerConfig[], { env }: RawConfig, running: RawConfig | undefined): void {
  for (const { group, name } of workers) {
    const known = env[group]?.migrations?.map(({ tag }) => tag) ?? []
    const last = running?.env[group]?.migrations?.at(-1)?.tag
    if (last !== undefined && !known.includes(last))
      throw new Error(
        `${name} runs the code of a later release, whose Durable Object class can’t be removed: first deploy a release that has it with npm run upgrade, then change settings and keys`,
      )
  }
}

/** Returns the settings that the static files depend on. */
const builtFor = ({ solana, live }: Deployment) => [solana, ...(live === 'off' ? ['live off'] : [])]

/** Returns exactly the secrets that wrangler.toml requires of a Worker. */
const secretsOf = ({ group, requiredSecrets }: WorkerConfig, env: NodeJS.ProcessEnv) =>
  Object.fromEntries(requiredSecrets.map((secret) => [secret, env[secretNameOf(group, secret)]]))

export const readDeployed = (folder: DeploymentFolder): Record<string, string> =>
  (folder.read(DEPLOYED) ?? {}) as Record<string, string>

export const writeDeployed = (folder: DeploymentFolder, hashes: Record<string, string>): void =>
  folder.writeJson(DEPLOYED, hashes)

/** Writes a Worker's secrets to a file during its upload. */
export async function withSecrets(
  folder: DeploymentFolder,
  { env }: Made,
  worker: WorkerConfig,
  work: (file: string) => Promise<unknown>,
): Promise<void> {
  // A run that was killed may have left a Worker's secrets, and wrangler's bundle.
  for (const left of [UPLOAD, '.wrangler']) folder.remove(left)
  folder.writeJson(UPLOAD, secretsOf(worker, env))
  try {
    await work(folder.path(UPLOAD))
  } finally {
    folder.remove(UPLOAD)
  }
}

/** Runs a command of wrangler for a Worker. @param config a configuration other than the last one made */
export const runWrangler = (
  folder: DeploymentFolder,
  { deployment }: { deployment: Deployment },
  args: string[],
  group: string,
  { env, ...options }: Run,
  config = CONFIG,
): Promise<string> =>
  wrangler([...args, '--config', folder.path(config), '--env', group], {
    env: childEnv(env, {
      CLOUDFLARE_ACCOUNT_ID: deployment.accountId,
      SOLANA_CHAIN: deployment.solana,
      LIVE: deployment.live ?? 'on',
      FUNDING_URL: deployment.vars.FUNDING_URL ?? '',
    }),
    ...options,
  })

/** Checks the settings of Workers. @throws Error that names the invalid setting */
export async function requireSettings(workers: WorkerConfig[], { all, env, deployment }: Made) {
  requireSecrets(workers, env)
  await requireConsistent(workers, all, env, deployment)
  await requireSecretKeys(workers, env)
  await requirePaymentKeyVersions(workers, env)
  await requireVault(workers, env)
}

type Checked = Pick<WorkerConfig, 'group' | 'vars' | 'requiredSecrets'>

/** Checks the settings that need no database. */
async function requireConsistent(
  workers: Checked[],
  all: Checked[],
  env: NodeJS.ProcessEnv,
  { solana }: Deployment,
): Promise<void> {
  requireVariables(workers, all)
  if (solana !== 'none') await requireChain(workers, { ...env, SOLANA_CHAIN: solana })
  await requirePayments(workers, all, env)
  await requireX402(workers, all, { ...env, SOLANA_CHAIN: solana })
}

/**
 * Checks the settings of a deployment before anything of it exists.
 * @param keys the secrets besides those of the database
 * @throws Error that names the invalid setting
 */
export async function requirePlanned(
  base: RawConfig,
  deployment: Deployment,
  keys: NodeJS.ProcessEnv,
): Promise<void> {
  const groups = Object.entries(configFor(base, deployment, (path) => path).env)
  const all = groups.map(([group, { vars = {}, secrets }]) => ({
    ...{ group, vars },
    requiredSecrets: secrets?.required ?? [],
  }))
  await requireConsistent(all, all, keys, deployment)
}

/** Records the settings of the deployed Workers that the database needs to know. */
export async function recordSettings(workers: WorkerConfig[], env: NodeJS.ProcessEnv): Promise<void> {
  await recordVault(workers, env)
  await recordPayments(workers, env)
}
