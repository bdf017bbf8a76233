import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { folderOf, STAGE } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { rotateKeys } from './rotate/command.ts'
import { ROTATIONS } from './rotate/kinds.ts'
import type { What } from './rotate/run.ts'

const USAGE = `npm run rotate -- <what> [--plan] [--at-once]
  database                     the passwords with which Workers log in to the database
  session                      the key that signs session tokens
  webhooks                     the key that signs webhooks
  secrets                      the key that encrypts the secrets of webhook endpoints
  cards                        the key that signs agent cards
  payments                     the authority of payments: a new key version
  agent-keys                   the secret behind agents' facilitator keys
  fee-payer                    the fee payer of payments for requests; needs funding in between
  vault                        the vault's authority and recovery key: a new key version; moves the treasury
  --plan                       shows what it would do, and changes nothing
  --at-once                    database, session, webhooks, cards, agent-keys, fee-payer: without overlap, if a key
                               has leaked
  --stop                       database: disables every login, so that no Worker reads or writes; npm run setup
                               enables them again, --at-once with new passwords
  --stage <name>               uses the deployment in .deployment-<name>

Run it again after an interruption, and when it says that the older key can be removed. Environment:
CLOUDFLARE_API_TOKEN; DEPLOYMENT_DIR instead of .deployment and of --stage.`

/** How long a call of the service may take. */
const CALL_MS = 30_000

await runMain('rotate', USAGE, async () => {
  const { values, positionals } = readCommandLine({
    plan: { type: 'boolean', default: false },
    'at-once': { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
    ...STAGE,
  })
  const [what = '', ...others] = positionals
  if (!(what in ROTATIONS) || others.length > 0)
    throw new UsageError(`name one of ${Object.keys(ROTATIONS).join(', ')}`)
  const isAtOnce = values['at-once']
  if (isAtOnce && !('replace' in ROTATIONS[what as What]))
    throw new UsageError(`--at-once is not possible for ${what}, because its older keys are still needed`)
  if (values.stop && (what !== 'database' || isAtOnce || values.plan))
    throw new UsageError('--stop is only for database')
  const env = takeEnvironment()
  const folder = folderOf(env, values)
  const options = { isPlan: values.plan, isAtOnce, isStop: values.stop, timeoutMs: CALL_MS }
  const work = () => rotateKeys({ folder, env, say: console.log }, what as What, options)
  await (values.plan ? work() : folder.alone(work))
})
