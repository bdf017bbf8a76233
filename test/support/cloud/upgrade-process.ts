import { once } from 'node:events'
import { runMain } from '../../../lib/cli/arguments.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { takeEnvironment } from '../../../lib/cli/deploy/wrangler.ts'
import { upgrade } from '../../../lib/cli/upgrade/run.ts'
import { formerly, SECOND } from './releases.ts'

/* `npm run upgrade [-- --rollback]` with a release of few Workers; begins as wait.ts says. */
await once(process.stdin, 'data')
process.stdin.destroy()
const isRollback = process.argv.includes('--rollback')
const options = {
  ...{ isPlan: false, isRollback, timeoutMs: 30_000, pause: async () => {} },
  former: formerly(),
}
await runMain('upgrade', '', async () => {
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  await folder.alone(() => upgrade({ folder, env, say: console.log, source: SECOND }, options))
})
