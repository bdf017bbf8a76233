import type { Command } from '../deploy/command.ts'
import type { RawConfig } from '../deploy/config.ts'
import { type Former, formerIn } from '../deploy/former.ts'
import { RUNNING } from '../deploy/run.ts'
import { thisSource } from '../deploy/source.ts'
import { openCloudflare } from '../setup/cloudflare.ts'
import { CommandError, RetryableError, withRetryHint } from '../setup/errors.ts'
import { requireFormerHosts } from '../setup/move.ts'
import { urlsOf, withDirect } from '../setup/neon.ts'
import { openNeon } from '../setup/neon-client.ts'
import { type Keep, type Steered, steer } from '../state/steer.ts'
import type { Pause } from './ask.ts'
import { carryOut, linesOf, PLANNED, plan, UNFINISHED } from './forward.ts'
import { goBack } from './rollback.ts'
import { openVersions } from './versions.ts'
import type { Work } from './work.ts'

export type Options = {
  isPlan: boolean
  isRollback: boolean
  /** Gives new versions a share of the requests, instead of asking them by override. */
  isByPercentage?: boolean
  timeoutMs: number
  pause?: Pause
  clock?: () => Date
  /** Finds the code of a former release: in this clone by default. */
  former?: Former
}

/**
 * Brings this folder's release to a deployment whose Workers run, or goes back to the former release. It runs
 * the migrations that expand, adds functions, and checks versions of Workers before it promotes them. On a
 * failure it promotes the versions that ran before. A run that is killed and repeated has the same result.
 * @throws CommandError with a sentence that says what to do
 */
export const upgrade = (command: Command, options: Options): Promise<void> =>
  withRetryHint(`Run npm run upgrade ${options.isRollback ? '-- --rollback ' : ''}again.`, async () => {
    const { folder, env, source = thisSource() } = command
    const { neonProject } = folder.deployment()
    if (neonProject === undefined) throw new CommandError(UNFINISHED)
    openCloudflare(env, options)
    const { direct: url } = await urlsOf(openNeon(env, options), neonProject)
    const by = `npm run upgrade${options.isRollback ? ' -- --rollback' : ''}`
    const steered = { ...command, source }
    await steer(steered, { url, by, isPlan: options.isPlan }, (keep) => bringRelease(steered, options, keep))
  })

async function bringRelease(command: Steered, options: Options, keep: Keep): Promise<void> {
  const { folder, env, say, source } = command
  const { isPlan, isRollback, timeoutMs } = options
  const { accountId, neonProject } = folder.deployment()
  const running = folder.read(RUNNING) as RawConfig | undefined
  if (neonProject === undefined || running === undefined) throw new CommandError(UNFINISHED)
  const cloudflare = openCloudflare(env, options)
  const message = isRollback
    ? `back from release ${source.release.version}`
    : `release ${source.release.version}`
  const work: Work = {
    ...{ folder, env, say, source, timeoutMs, keep },
    versions: openVersions(cloudflare, accountId, message),
    isByPercentage: options.isByPercentage ?? false,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    clock: options.clock ?? (() => new Date()),
    former: options.former ?? formerIn(command, { own: source, refuse: (why) => new RetryableError(why) }),
  }
  const neon = openNeon(env, options)
  await withDirect(neon, neonProject, async (database) => {
    if (isRollback) return goBack(work, database)
    await requireFormerHosts(cloudflare, folder.deployment())
    const planned = await plan(work, database, running)
    if (planned.isNothing) return say('Nothing to do: this release already runs.')
    for (const line of linesOf(planned, work)) say(line)
    if (!isPlan) await carryOut(work, database, cloudflare, await urlsOf(neon, neonProject), planned, running)
  }).finally(() => folder.remove(PLANNED))
}
