import { once } from 'node:events'
import { runMain } from '../../../lib/cli/arguments.ts'
import type { Command } from '../../../lib/cli/deploy/command.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { takeEnvironment } from '../../../lib/cli/deploy/wrangler.ts'
import { rotateKeys } from '../../../lib/cli/rotate/command.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { upgrade } from '../../../lib/cli/upgrade/run.ts'
import { formerly, SECOND, SESSIONS, WITH_QUEUES } from './releases.ts'

/** How long a call may take. */
const timeoutMs = 30_000

const COMMANDS: Record<
  'setup' | 'upgrade' | 'rotate',
  (command: Command, isRollback: boolean) => Promise<void>
> = {
  setup: (command) => setUp({ ...command, source: WITH_QUEUES }, readSetup({}, command.folder)),
  upgrade: (command, isRollback) =>
    upgrade(
      { ...command, source: SECOND },
      { ...{ isPlan: false, isRollback, timeoutMs, pause: async () => {} }, former: formerly() },
    ),
  rotate: (command) =>
    rotateKeys({ ...command, source: SESSIONS }, 'session', {
      ...{ isPlan: false, isAtOnce: false, isStop: false, timeoutMs },
    }),
}

/* `npm run setup`, `upgrade [-- --rollback]` or `rotate` with stub Workers; begins as wait.ts says. */
const [name = '', ...args] = process.argv.slice(2)
await once(process.stdin, 'data')
process.stdin.destroy()
await runMain(name as keyof typeof COMMANDS, async () => {
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  await folder.alone(async () =>
    COMMANDS[name as keyof typeof COMMANDS]({ folder, env, say: console.log }, args.includes('--rollback')),
  )
})
