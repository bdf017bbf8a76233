import { readOptions, runMain, UsageError } from './arguments.ts'
import { folderOf, STAGE } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { upgrade } from './upgrade/run.ts'

const USAGE = `npm run upgrade -- [options]   deploys this folder's release; safe to run again
  --plan                       shows what it would do, and changes nothing
  --rollback                   goes back: deploys the previous release with the current keys and settings,
                               or undoes an interrupted upgrade
  --by-percentage              if Cloudflare ignores version overrides: new versions get a quarter of the
                               requests until each has answered and is healthy
  --timeout <seconds>          maximum time of a call (30)
  --stage <name>               uses the deployment in .deployment-<name>

Environment: CLOUDFLARE_API_TOKEN, NEON_API_KEY; DEPLOYMENT_DIR instead of .deployment and of --stage.`

/** `npm run upgrade`: brings a new release to a deployment whose Workers run. */
await runMain('upgrade', USAGE, async () => {
  const values = readOptions({
    plan: { type: 'boolean', default: false },
    rollback: { type: 'boolean', default: false },
    'by-percentage': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '30' },
    ...STAGE,
  })
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
