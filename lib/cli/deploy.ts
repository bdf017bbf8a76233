import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { writeServerJson } from '../tools/description/server-json.ts'
import { readWorkers, type WorkerConfig } from '../tools/wrangler.ts'
import { recordPayments, requirePaymentGenerations, requirePayments } from './deploy/payments.ts'
import { requireChain, requireSecretKeys, requireSecrets, requireVariables } from './deploy/settings.ts'
import { recordVault, requireVault } from './deploy/vault.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * `npm run deploy [-- --dry-run] [-- <group> …]`: deploys every Worker of wrangler.toml by `wrangler deploy
 * --env <group>`, each with the secrets that wrangler.toml requires of it, taken from the environment. A dry
 * run builds every Worker and prints its size, gzipped.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const all = readWorkers()
  const workers = inOrder(all.filter(({ group }) => positionals.length === 0 || positionals.includes(group)))
  if (workers.length === 0) throw new Error(`wrangler.toml has no [env.${positionals.join('], [env.')}]`)
  if (!values['dry-run']) {
    requireSecrets(workers, process.env)
    requireVariables(workers, all)
    requireConfig()
    await requireChain(workers, process.env)
    await requirePayments(workers, all, process.env)
    await requireSecretKeys(workers, process.env)
    await requirePaymentGenerations(workers, process.env)
    await requireVault(workers, process.env)
  }
  for (const worker of workers) {
    if (values['dry-run']) {
      const size = bundleSize(buildBundle(worker.group))
      console.log(`${worker.group.padEnd(12)} ${kilobytes(size)} gzipped`)
    } else deploy(worker)
  }
  if (values['dry-run']) return
  await recordVault(workers, process.env)
  await recordPayments(workers, process.env)
  writeServerJson()
}

/** Values that the deployment steps of functions/operate.md replace. */
const PLACEHOLDERS = ['agentcred.example', '00000000000000000000000000000001']

function requireConfig() {
  const config = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  for (const [, name, host] of config.matchAll(/^(API_HOST|API_ORIGIN) = "(?:https:\/\/)?(.*)"$/gm)) {
    if (!config.includes(`pattern = "${host}/`))
      throw new Error(
        `wrangler.toml: ${name} is not the host of the routes (functions/operate.md, "Deployment")`,
      )
  }
  const left = PLACEHOLDERS.filter((placeholder) => config.includes(placeholder))
  if (left.length > 0)
    throw new Error(`wrangler.toml still has ${left.join(' and ')} (functions/operate.md, "Deployment")`)
}

/**
 * Sorts Workers into the order to deploy them in. The Worker that signs tokens comes after the Workers that
 * check them, which would not know a new key otherwise; a Worker with service bindings comes after the
 * Workers that it is bound to, without which it cannot be deployed. The vault comes after settlement, which
 * would not know the vaults of a new key otherwise. That jobs comes before events, which publishes the keys
 * of webhooks, does no harm: whenever they rotate, a key that was published before signs, too.
 */
export const inOrder = (workers: WorkerConfig[]): WorkerConfig[] =>
  workers.toSorted((a, b) => rank(a, workers) - rank(b, workers))

/** What goes up last, the last first. */
const LATE = ['SESSION_SIGNING_KEY', 'VAULT_AUTHORITY_KEYS', 'WEBHOOK_SIGNING_KEYS']

function rank({ requiredSecrets, services }: WorkerConfig, workers: WorkerConfig[]): number {
  const bound = workers.filter(({ name }) => services.includes(name)).map((worker) => rank(worker, workers))
  const index = LATE.findIndex((name) => requiredSecrets.includes(name))
  return Math.max(index === -1 ? 0 : LATE.length - index, ...bound.map((other) => other + 1))
}

function deploy({ group, requiredSecrets }: WorkerConfig) {
  inTemporaryFolder((folder) => {
    const secrets = join(folder, 'secrets.json')
    writeFileSync(
      secrets,
      JSON.stringify(Object.fromEntries(requiredSecrets.map((name) => [name, process.env[name]]))),
      {
        mode: 0o600,
      },
    )
    wrangler(['deploy', '--env', group, '--secrets-file', secrets], 'inherit')
  })
}

/** What wrangler would upload for a group, without static assets. */
export type Bundle = {
  scripts: string[]
  /** The files that it was bundled from, relative to the repository. */
  sources: string[]
}

/** Bundles a group's Worker exactly as a deployment would. */
export const buildBundle = (group: string): Bundle =>
  inTemporaryFolder((folder) => {
    wrangler(['deploy', '--env', group, '--dry-run', '--outdir', folder, '--metafile'], 'ignore')
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const meta: { inputs: Record<string, unknown> } = JSON.parse(read('bundle-meta.json'))
    const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
    return { scripts: scripts.map(read), sources: Object.keys(meta.inputs) }
  })

/** Returns the size of a bundle in bytes, gzipped. */
export const bundleSize = ({ scripts }: Bundle): number =>
  scripts.reduce((sum, script) => sum + gzipSync(script).length, 0)

function wrangler(args: string[], output: 'inherit' | 'ignore') {
  const { status } = spawnSync('wrangler', args, {
    cwd: ROOT,
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  if (status !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed`)
}

function inTemporaryFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-deploy-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(6)} KB`

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
