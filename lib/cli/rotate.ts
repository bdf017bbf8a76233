import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { folderOf } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { rotateKeys } from './rotate/command.ts'
import { ROTATIONS } from './rotate/kinds.ts'
import type { What } from './rotate/run.ts'

/** How long a call of the service may take. */
const CALL_MS = 30_000

await runMain('rotate', async () => {
  const { values, positionals } = readCommandLine('rotate')
  const [what = '', ...others] = positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  const isAtOnce = values['at-once']
  if (isAtOnce && !('replace' in ROTATIONS[what as What]))
    throw new UsageError(`--at-once is not possible for ${what}, because its older keys are still needed`)
  if (values.stop && (what !== 'database' || isAtOnce || values.plan))
    throw new UsageError('--stop is only for database')
  const env = takeEnvironment()
  const folder = folderOf(env, values)
  const options = { isPlan: values.plan, isAtOnce, isStop: values.stop, timeoutMs: CALL_MS }
  const work = () => rotateKeys({ folder, env, say: console.log }, what as What, options)
  await (values.plan ? work() : folder.alone(work))
})
