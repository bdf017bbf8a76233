import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../../lib/cli/deploy/command.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import type { Source } from '../../../lib/cli/deploy/source.ts'
import { rotateKeys } from '../../../lib/cli/rotate/command.ts'
import type { What } from '../../../lib/cli/rotate/run.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { adopt } from '../../../lib/cli/state/adopt.ts'
import { upgrade } from '../../../lib/cli/upgrade/run.ts'
import { temporaryFolder } from '../key-files.ts'
import type { Cloud } from './cloud.ts'
import { formerly, SESSIONS } from './releases.ts'

/** How long a call may take. */
const timeoutMs = 60_000

type Values = Parameters<typeof readSetup>[0]
export type Machine = ReturnType<typeof machineOf>

/**
 * A machine that works on a cloud's deployment, with a folder of its own. Each command says why it stopped.
 * @param from another machine's folder, of which it has a copy
 * @param files of the copy; without them all
 */
export function machineOf(cloud: Cloud, source: Source, from?: string, files: string[] = ['']) {
  const path = temporaryFolder()
  if (from) for (const file of files) cpSync(join(from, file), join(path, file), { recursive: true })
  const run = async (work: (command: Command) => Promise<void>, env: Record<string, string> = {}) => {
    const lines: string[] = []
    const folder = openDeployment({ DEPLOYMENT_DIR: path })
    const command = { folder, env: { ...cloud.env, ...env }, say: (line: string) => lines.push(line), source }
    const stopped = await Promise.try(() => work(command)).then(
      () => undefined,
      (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
    )
    return { said: lines.join('\n'), stopped }
  }
  const at = (name: string) => openDeployment({ DEPLOYMENT_DIR: path }).read(name)
  return {
    path,
    source,
    read: at,
    secrets: () => at('secrets.json') as Record<string, string>,
    /** Another machine with a copy of this one's folder, or of these files of it. */
    copy: (files?: string[], other = source) => machineOf(cloud, other, path, files),
    adopt: (env?: Record<string, string>) =>
      run((command) => adopt(command, readSetup({ adopt: true }, command.folder)), env),
    setUp: (values: Values = {}, env?: Record<string, string>) =>
      run((command) => setUp(command, readSetup(values, command.folder)), env),
    rotate: (what: What, { isAtOnce = false, isPlan = false, isStop = false } = {}, env = {}) =>
      run((command) => rotateKeys(command, what, { isAtOnce, isPlan, isStop, timeoutMs }), env),
    upgrade: ({ isPlan = false, isRollback = false } = {}, env = {}) =>
      run(
        (command) =>
          upgrade(command, {
            ...{ isPlan, isRollback, timeoutMs, pause: async () => {} },
            // The folder's own release, if that is the first.
            former: formerly(source.release.version === SESSIONS.release.version ? source : SESSIONS),
          }),
        env,
      ),
  }
}
