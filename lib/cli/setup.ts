import { readOptions, runMain } from './arguments.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { FLAGS, readSetup, USAGE } from './setup/options.ts'
import { setUp } from './setup/run.ts'

/** `npm run setup`: from a clone to production, and safe to run again. */
await runMain('setup', USAGE, async () => {
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const values = readOptions(FLAGS)
  const work = () => setUp({ folder, env, say: console.log }, readSetup(values, folder))
  await (values.plan ? work() : folder.alone(work))
})
