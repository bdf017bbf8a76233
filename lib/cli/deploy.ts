import { readWorkers } from '../tools/wrangler.ts'
import { readCommandLine, runMain } from './arguments.ts'
import { inOrder } from './deploy/order.ts'
import { folderOf, STAGE } from './deploy/stage.ts'
import { buildBundle, bundleSize, takeEnvironment } from './deploy/wrangler.ts'
import { applySettings } from './setup/apply.ts'
import { CommandError } from './setup/errors.ts'

const USAGE = `npm run deploy -- [--dry-run] [<group> …]   deploys the running Workers, or the named ones, with the settings and
                               secrets of .deployment/ and of the environment; checks health and logs in.
                               To deploy other code, run npm run upgrade
  --dry-run                    builds every Worker of wrangler.toml, and prints its gzipped size
  --stage <name>               uses the deployment in .deployment-<name>

Environment: CLOUDFLARE_API_TOKEN, and secrets by name, which override secrets.json;
--stage or DEPLOYMENT_DIR instead of .deployment.`

/** Long, since wrangler builds the console and uploads files one by one. */
const DEPLOYMENT_MS = 600_000
/** How long a call of the service may take. */
const CALL_MS = 30_000

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(6)} KB`

/** `npm run deploy`: gives running Workers new settings and secrets, by `wrangler deploy`. */
await runMain('deploy', USAGE, async () => {
  const { values, positionals: groups } = readCommandLine({
    'dry-run': { type: 'boolean', default: false },
    ...STAGE,
  })
  if (values['dry-run']) return printSizes(groups)
  const env = takeEnvironment()
  const folder = folderOf(env, values, env)
  await folder.alone(() =>
    applySettings(
      { folder, env, say: console.log },
      {
        ...{ groups, deploymentMs: DEPLOYMENT_MS, timeoutMs: CALL_MS },
        onOutput: (text) => process.stdout.write(text),
      },
    ),
  )
})

function printSizes(groups: string[]) {
  const workers = readWorkers().filter(({ group }) => groups.length === 0 || groups.includes(group))
  if (workers.length === 0) throw new CommandError(`wrangler.toml has no [env.${groups.join('], [env.')}]`)
  for (const { group } of inOrder(workers))
    console.log(`${group.padEnd(12)} ${kilobytes(bundleSize(buildBundle(group)))} gzipped`)
}
