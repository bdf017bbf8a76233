import { lockFile } from '../local/state.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { openDeployment } from './deploy/deployment.ts'
import { deployAll } from './deploy/run.ts'
import { WranglerError } from './deploy/wrangler.ts'
import { ROTATIONS } from './rotate/kinds.ts'
import { rotate, type What } from './rotate/run.ts'
import { openCloudflare } from './setup/cloudflare.ts'
import { faultOf } from './setup/faults.ts'
import { prove } from './setup/proof.ts'

const USAGE = `npm run rotate -- <what> [--plan] [--at-once]
  session                      the key that signs session tokens
  webhooks                     the key that signs webhooks
  secrets                      the key that secrets of webhook endpoints are encrypted under
  cards                        the key that signs agent cards
  payments                     the authority of payments: a new generation
  vault                        the vault's authority and recovery key: a new generation; moves the treasury
  --plan                       says what it would do, and does nothing
  --at-once                    session, webhooks, cards: without overlap, where a key has leaked

Run again after an interruption, and again when it says that an older key can go. Environment:
CLOUDFLARE_API_TOKEN; DEPLOYMENT_DIR instead of .deployment.`

/** One Worker goes up in less. */
const TIMEOUT_MS = 300_000
/** How long a call of the service may take. */
const CALL_MS = 30_000

await runMain('rotate', USAGE, async () => {
  const { values, positionals } = readCommandLine({
    plan: { type: 'boolean', default: false },
    'at-once': { type: 'boolean', default: false },
  })
  const [what = '', ...others] = positionals
  if (!(what in ROTATIONS) || others.length > 0)
    throw new UsageError(`name one of ${Object.keys(ROTATIONS).join(', ')}`)
  const isAtOnce = values['at-once']
  if (isAtOnce && !('replace' in ROTATIONS[what as What]))
    throw new UsageError(`--at-once is not for ${what}: what was made with its older keys needs them`)
  const { env } = process
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const { host } = folder.deployment()
  openCloudflare(env, { timeoutMs: CALL_MS })
  const release = await lockFile(folder.path('lock'), 0)
  const deploy = async (groups: string[]) => {
    const onWorker = (worker: string) => console.log(`deploy ${worker}`)
    await deployAll(folder, { env, groups, timeoutMs: TIMEOUT_MS, onWorker }).catch((error) => {
      throw error instanceof WranglerError ? faultOf(error, 'deploying the Workers') : error
    })
    await prove(`https://${host}`, CALL_MS)
  }
  try {
    const run = { isAtOnce, isPlan: values.plan, clock: () => new Date(), deploy, say: console.log }
    await rotate(folder, what as What, run)
  } finally {
    release()
  }
})
