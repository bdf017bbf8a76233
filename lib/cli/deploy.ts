import { readWorkers } from '../tools/wrangler.ts'
import { readCommandLine, runMain, suggestion, UsageError } from './arguments.ts'
import { inOrder } from './deploy/order.ts'
import { folderOf } from './deploy/stage.ts'
import { buildBundle, bundleSize, takeEnvironment } from './deploy/wrangler.ts'
import { applySettings } from './setup/apply.ts'

/** Long, since wrangler builds the console and uploads files one by one. */
const DEPLOYMENT_MS = 600_000
/** How long a call of the service may take. */
const CALL_MS = 30_000

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(6)} KB`

/** `npm run deploy`: gives running Workers new settings and secrets, by `wrangler deploy`. */
await runMain('deploy', async () => {
  const { values, positionals: groups } = readCommandLine('deploy')
  const known = readWorkers().map(({ group }) => group)
  const unknown = groups.find((group) => !known.includes(group))
  if (unknown !== undefined)
    throw new UsageError(`there is no Worker ${unknown}.${suggestion(unknown, known)}`)
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
  for (const { group } of inOrder(workers))
    console.log(`${group.padEnd(12)} ${kilobytes(bundleSize(buildBundle(group)))} gzipped`)
}
