import { readCommandLine, runMain } from './arguments.ts'
import { folderOf } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { readSetup } from './setup/options.ts'
import { setUp } from './setup/run.ts'
import { adopt } from './state/adopt.ts'

/** `npm run setup`: makes a deployment, or goes on with one. It is safe to run again. */
await runMain('setup', async () => {
  const { values } = readCommandLine('setup')
  const env = takeEnvironment()
  const folder = folderOf(env, values)
  const command = { folder, env, say: console.log }
  const options = readSetup(values, folder)
  const work = () => (values.adopt ? adopt(command, options) : setUp(command, options))
  await (values.plan ? work() : folder.alone(work))
})
