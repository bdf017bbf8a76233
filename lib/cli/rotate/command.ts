import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../migrations/postgres.ts'
import type { Command } from '../deploy/command.ts'
import { SECRETS } from '../deploy/deployment.ts'
import { deployAll } from '../deploy/run.ts'
import { thisSource } from '../deploy/source.ts'
import { openCloudflare } from '../setup/cloudflare.ts'
import { CommandError, deploymentErrorOf, withRetryHint } from '../setup/errors.ts'
import { prove } from '../setup/proof.ts'
import { requireFinished, requireSameCode } from '../setup/same-code.ts'
import { requirePersistentFolder } from '../state/runner.ts'
import { steer } from '../state/steer.ts'
import { stopWorkers } from './database.ts'
import { ROTATIONS } from './kinds.ts'
import { rotate, type What } from './run.ts'

type Options = {
  isPlan: boolean
  isAtOnce: boolean
  /** Closes every login, instead of replacing passwords. */
  isStop: boolean
  /** How long a call of the service may take. */
  timeoutMs: number
}

/** The time limit for the deployment of one Worker. */
const DEPLOYMENT_MS = 300_000

/**
 * Runs `npm run rotate`. It deploys this folder's code, which must be the code that runs. @throws
 * CommandError
 */
export async function rotateKeys(
  { folder, env, say, source = thisSource() }: Command,
  what: What,
  { isPlan, isAtOnce, isStop, timeoutMs }: Options,
): Promise<void> {
  folder.deployment()
  openCloudflare(env, { timeoutMs })
  const keys = (folder.read(SECRETS) ?? {}) as Record<string, string>
  if (isStop) {
    await withRetryHint('Run npm run rotate -- database --stop again.', () => stopWorkers(keys))
    return say('Every login is disabled: no Worker reads or writes.')
  }
  const deploy = async (groups: string[]) => {
    const onWorker = (worker: string) => say(`deploy ${worker}`)
    await deployAll(folder, { env, source, groups, timeoutMs: DEPLOYMENT_MS, onWorker }).catch((error) => {
      throw deploymentErrorOf(error)
    })
    await prove(`https://${folder.deployment().host}`, timeoutMs)
  }
  const by = `npm run rotate -- ${what}${isAtOnce ? ' --at-once' : ''}`
  if (!isPlan) requirePersistentFolder(env, [...ROTATIONS[what].names], by)
  const url = keys.DATABASE_URL ?? ''
  if (!URL.canParse(url))
    throw new CommandError(`${folder.path(SECRETS)} has no DATABASE_URL: run npm run setup, which writes it.`)
  // A thief with a Worker's login can hold the lock, and this command closes the login.
  const isBesideOthers = what === 'database' && isAtOnce
  await steer({ folder, env, say, source }, { url, by, isPlan, isBesideOthers }, async (keep) => {
    const clock = () => new Date()
    const run = () => rotate(folder, what, { isAtOnce, isPlan, clock, sleep, deploy, keep, say })
    if (isPlan) return run()
    requireFinished(folder)
    const database = await openPostgres(url)
    await requireSameCode(database, source, 'npm run rotate changes keys').finally(() => database.close())
    await run()
  })
}
