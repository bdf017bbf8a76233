import { parseArgs } from 'node:util'
import { readWorkers } from '../tools/wrangler.ts'
import { SECRETS } from './deploy/deployment.ts'
import { inOrder } from './deploy/order.ts'
import { deployAll } from './deploy/run.ts'
import { thisSource } from './deploy/source.ts'
import { folderOf, STAGE } from './deploy/stage.ts'
import { buildBundle, bundleSize, takeEnvironment } from './deploy/wrangler.ts'
import { steer } from './state/steer.ts'

/** Wrangler builds the console, and uploads files one by one. */
const TIMEOUT_MS = 600_000

/**
 * `npm run deploy [-- --dry-run] [-- <group> …]`: deploys every Worker of the deployment in `.deployment/` by
 * `wrangler deploy`, each with the secrets that wrangler.toml requires of it. A dry run builds every Worker
 * of wrangler.toml and prints its size, gzipped.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, ...STAGE },
    allowPositionals: true,
  })
  if (values['dry-run']) return printSizes(positionals)
  const env = takeEnvironment()
  const folder = folderOf(env, values, env)
  const source = thisSource()
  const deploy = () =>
    deployAll(folder, {
      env,
      source,
      groups: positionals,
      timeoutMs: TIMEOUT_MS,
      onOutput: (text) => process.stdout.write(text),
    })
  const { DATABASE_URL: url = '' } = (folder.read(SECRETS) ?? {}) as Record<string, string>
  await folder.alone(() =>
    // Without a URL the deployment says what is missing.
    URL.canParse(url)
      ? steer({ folder, env, say: console.log, source }, { url, by: 'npm run deploy' }, deploy)
      : deploy(),
  )
}

function printSizes(groups: string[]) {
  const workers = readWorkers().filter(({ group }) => groups.length === 0 || groups.includes(group))
  if (workers.length === 0) throw new Error(`wrangler.toml has no [env.${groups.join('], [env.')}]`)
  for (const { group } of inOrder(workers))
    console.log(`${group.padEnd(12)} ${kilobytes(bundleSize(buildBundle(group)))} gzipped`)
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(6)} KB`

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
