import { openPostgres } from '../../migrations/postgres.ts'
import type { Command } from '../deploy/command.ts'
import { deployAll, RUNNING } from '../deploy/run.ts'
import { thisSource } from '../deploy/source.ts'
import { steer } from '../state/steer.ts'
import { openCloudflare } from './cloudflare.ts'
import { CommandError, deploymentErrorOf, withRetryHint } from './errors.ts'
import { requireFormerHosts } from './move.ts'
import { prove } from './proof.ts'
import { requireFinished, requireSameCode } from './same-code.ts'

type Options = {
  /** The Workers to deploy; empty: all. */
  groups: string[]
  /** How long the deployment of one Worker may take. */
  deploymentMs: number
  /** How long a call of the service may take. */
  timeoutMs: number
  onOutput?: (text: string) => void
}

/**
 * Deploys Workers with the present settings and secrets, then checks the service's health and logs in. It
 * refuses other code: only an upgrade checks code before users reach it.
 * @throws CommandError with a sentence that says what to do
 */
export const applySettings = (command: Command, options: Options): Promise<void> =>
  withRetryHint('Run npm run deploy again.', () => deployAlone(command, options))

async function deployAlone(command: Command, options: Options): Promise<void> {
  const { folder, env, say, source = thisSource() } = command
  const { groups, deploymentMs, timeoutMs, onOutput } = options
  // Throws if there is no deployment.
  folder.deployment()
  const { DATABASE_URL: url } = folder.secrets()
  if (folder.read(RUNNING) === undefined || !url) throw new CommandError(BEGUN)
  const cloudflare = openCloudflare(env, { timeoutMs })
  await steer({ folder, env, say, source }, { url, by: 'npm run deploy' }, async () => {
    requireFinished(folder)
    const database = await openPostgres(url)
    const running = await requireSameCode(database, source, 'npm run deploy changes settings').finally(() =>
      database.close(),
    )
    if (running === undefined) throw new CommandError(BEGUN)
    await requireFormerHosts(cloudflare, folder.deployment())
    await deployAll(folder, {
      ...{ env, source, groups },
      timeoutMs: deploymentMs,
      onWorker: (worker) => say(`deploy ${worker}`),
      ...(onOutput && { onOutput }),
    }).catch((error) => {
      throw deploymentErrorOf(error)
    })
    await prove(`https://${folder.deployment().host}`, timeoutMs)
  })
  say('the service is healthy, and a wallet has logged in')
}

const BEGUN =
  'npm run setup has not finished for this deployment: run it again with the code that it began with. Nothing was changed.'
