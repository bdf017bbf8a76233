import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { folderOf } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { upgrade } from './upgrade/run.ts'

/** `npm run upgrade`: brings a new release to a deployment whose Workers run. */
await runMain('upgrade', async () => {
  const { values } = readCommandLine('upgrade')
  const timeout = Number(values.timeout)
  if (!(timeout > 0 && timeout <= 600)) throw new UsageError('--timeout must be from 1 to 600 seconds')
  if (values.plan && values.rollback) throw new UsageError('use only one of --plan and --rollback')
  const env = takeEnvironment()
  const folder = folderOf(env, values)
  const options = {
    isPlan: values.plan,
    isRollback: values.rollback,
    isByPercentage: values['by-percentage'],
    timeoutMs: timeout * 1000,
  }
  const work = () => upgrade({ folder, env, say: console.log }, options)
  await (values.plan ? work() : folder.alone(work))
})
