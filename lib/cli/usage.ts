import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { withRetryHint } from './setup/errors.ts'
import { openNeon } from './setup/neon-client.ts'
import { reportUsage } from './usage/used.ts'

const TIMEOUT_MS = 30_000

/** `npm run usage`: warns before the plan is used up. Run it on a schedule. */
await runMain('usage', async () => {
  const { project } = readCommandLine('usage').values
  const env = takeEnvironment()
  const known = project || openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR }).deployment().neonProject
  if (known === undefined) throw new UsageError('name the Neon project with --project')
  const client = openNeon(env, { timeoutMs: TIMEOUT_MS })
  await withRetryHint('Run npm run usage again.', () => reportUsage(client, known, console.log))
})
