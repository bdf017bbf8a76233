import { parseArgs } from 'node:util'
import { readWorkers } from '../tools/wrangler.ts'
import { openDeployment } from './deploy/deployment.ts'
import { inOrder } from './deploy/order.ts'
import { deployAll } from './deploy/run.ts'
import { buildBundle, bundleSize, takeEnvironment } from './deploy/wrangler.ts'

/** Wrangler builds the console, and uploads files one by one. */
const TIMEOUT_MS = 600_000

/**
 * `npm run deploy [-- --dry-run] [-- <group> …]`: deploys every Worker of the deployment in `.deployment/` by
 * `wrangler deploy`, each with the secrets that wrangler.toml requires of it. A dry run builds every Worker
 * of wrangler.toml and prints its size, gzipped.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values['dry-run']) return printSizes(positionals)
  const env = takeEnvironment()
  const folder = openDeployment(env)
  await folder.alone(() =>
    deployAll(folder, {
      env,
      groups: positionals,
      timeoutMs: TIMEOUT_MS,
      onOutput: (text) => process.stdout.write(text),
    }),
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
