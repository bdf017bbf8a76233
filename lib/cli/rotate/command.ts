import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../local/neon/postgres.ts'
import type { Command } from '../deploy/command.ts'
import { SECRETS } from '../deploy/deployment.ts'
import { deployAll } from '../deploy/run.ts'
import { thisSource } from '../deploy/source.ts'
import { openCloudflare } from '../setup/cloudflare.ts'
import { asCommand, faultOfDeployment } from '../setup/faults.ts'
import { alone } from '../setup/lock.ts'
import { prove } from '../setup/proof.ts'
import { requireSameCode } from '../setup/same-code.ts'
import { stopWorkers } from './database.ts'
import { rotate, type What } from './run.ts'

type Options = {
  isPlan: boolean
  isAtOnce: boolean
  /** Closes every login instead. */
  isStop: boolean
  /** How long a call of the service may take. */
  timeoutMs: number
}

/** One Worker goes up in less. */
const DEPLOYMENT_MS = 300_000

/** `npm run rotate`: what deploys is this folder's code, which must be what runs. @throws Fault */
export async function rotateKeys(
  { folder, env, say, source = thisSource() }: Command,
  what: What,
  { isPlan, isAtOnce, isStop, timeoutMs }: Options,
): Promise<void> {
  const { host } = folder.deployment()
  openCloudflare(env, { timeoutMs })
  const keys = (folder.read(SECRETS) ?? {}) as Record<string, string>
  if (isStop) {
    await asCommand('Run npm run rotate -- database --stop again.', () => stopWorkers(keys))
    return say('Every login is closed: no Worker reads or writes anything.')
  }
  const deploy = async (groups: string[]) => {
    const onWorker = (worker: string) => say(`deploy ${worker}`)
    await deployAll(folder, { env, source, groups, timeoutMs: DEPLOYMENT_MS, onWorker }).catch((error) => {
      throw faultOfDeployment(error)
    })
    await prove(`https://${host}`, timeoutMs)
  }
  const turn = () => rotate(folder, what, { isAtOnce, isPlan, clock: () => new Date(), sleep, deploy, say })
  if (isPlan) return turn()
  const url = keys.DATABASE_URL ?? ''
  const work = async () => {
    const database = await openPostgres(url)
    await requireSameCode(database, source, 'npm run rotate changes keys').finally(() => database.close())
    await turn()
  }
  // A thief with a Worker's login can hold the lock, and this is what ends it.
  await (what === 'database' && isAtOnce ? work() : alone(url, work))
}
