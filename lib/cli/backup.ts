import { readCommandLine, runMain } from './arguments.ts'
import { backUp } from './backup/dump.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { withRetryHint } from './setup/errors.ts'

/** The time limit of a call to Neon, and of the wait until the database is awake. */
const TIMEOUT_MS = 60_000

/** `npm run backup`: writes an encrypted backup, safe from mistakes and from the loss of a provider. */
await runMain('backup', async () => {
  const { out, recipient } = readCommandLine('backup').values
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const options = { out, recipient, timeoutMs: TIMEOUT_MS, now: new Date() }
  const work = () => backUp({ folder, env, say: console.log }, options)
  await withRetryHint('Run npm run backup again; no file was left behind.', work)
})
