import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../local/neon/postgres.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { openDeployment, SECRETS } from './deploy/deployment.ts'
import { deployAll } from './deploy/run.ts'
import { thisSource } from './deploy/source.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { stopWorkers } from './rotate/database.ts'
import { ROTATIONS } from './rotate/kinds.ts'
import { rotate, type What } from './rotate/run.ts'
import { openCloudflare } from './setup/cloudflare.ts'
import { asCommand, faultOfDeployment } from './setup/faults.ts'
import { prove } from './setup/proof.ts'
import { requireSameCode } from './setup/same-code.ts'

const USAGE = `npm run rotate -- <what> [--plan] [--at-once]
  database                     the passwords that Workers log in to the database by
  session                      the key that signs session tokens
  webhooks                     the key that signs webhooks
  secrets                      the key that secrets of webhook endpoints are encrypted under
  cards                        the key that signs agent cards
  payments                     the authority of payments: a new generation
  vault                        the vault's authority and recovery key: a new generation; moves the treasury
  --plan                       says what it would do, and does nothing
  --at-once                    database, session, webhooks, cards: without overlap, where one has leaked
  --stop                       database: closes every login, so that no Worker reads or writes anything; npm run setup
                               lets them in again, --at-once by other passwords

Run again after an interruption, and again when it says that an older key can go. Environment:
CLOUDFLARE_API_TOKEN; DEPLOYMENT_DIR instead of .deployment.`

/** One Worker goes up in less. */
const TIMEOUT_MS = 300_000
/** How long a call of the service may take. */
const CALL_MS = 30_000

/** A rotation deploys this folder's code, which must be what runs. */
async function requireCode(url: string) {
  const database = await openPostgres(url)
  try {
    await requireSameCode(database, thisSource(), 'npm run rotate changes keys')
  } finally {
    await database.close()
  }
}

await runMain('rotate', USAGE, async () => {
  const { values, positionals } = readCommandLine({
    plan: { type: 'boolean', default: false },
    'at-once': { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
  })
  const [what = '', ...others] = positionals
  if (!(what in ROTATIONS) || others.length > 0)
    throw new UsageError(`name one of ${Object.keys(ROTATIONS).join(', ')}`)
  const isAtOnce = values['at-once']
  if (isAtOnce && !('replace' in ROTATIONS[what as What]))
    throw new UsageError(`--at-once is not for ${what}: what was made with its older keys needs them`)
  if (values.stop && (what !== 'database' || isAtOnce || values.plan))
    throw new UsageError('--stop is for database, alone')
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const { host } = folder.deployment()
  openCloudflare(env, { timeoutMs: CALL_MS })
  const deploy = async (groups: string[]) => {
    const onWorker = (worker: string) => console.log(`deploy ${worker}`)
    await deployAll(folder, { env, groups, timeoutMs: TIMEOUT_MS, onWorker }).catch((error) => {
      throw faultOfDeployment(error)
    })
    await prove(`https://${host}`, CALL_MS)
  }
  const run = { isAtOnce, isPlan: values.plan, clock: () => new Date(), sleep, deploy, say: console.log }
  const keys = (folder.read(SECRETS) ?? {}) as Record<string, string>
  const work = async () => {
    if (!values.stop) {
      if (!values.plan) await requireCode(keys.DATABASE_URL ?? '')
      return rotate(folder, what as What, run)
    }
    await asCommand('Run npm run rotate -- database --stop again.', () => stopWorkers(keys))
    console.log('Every login is closed: no Worker reads or writes anything.')
  }
  await (values.plan ? work() : folder.alone(work))
})
