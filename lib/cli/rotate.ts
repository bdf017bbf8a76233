import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { folderOf, STAGE } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { rotateKeys } from './rotate/command.ts'
import { ROTATIONS } from './rotate/kinds.ts'
import type { What } from './rotate/run.ts'

const USAGE = `npm run rotate -- <what> [--plan] [--at-once]
  database                     the passwords that Workers log in to the database by
  session                      the key that signs session tokens
  webhooks                     the key that signs webhooks
  secrets                      the key that secrets of webhook endpoints are encrypted under
  cards                        the key that signs agent cards
  payments                     the authority of payments: a new generation
  agent-keys                   the secret that agents' keys of the facilitator are made of
  fee-payer                    the fee payer of payments for requests; it is to be funded in between
  vault                        the vault's authority and recovery key: a new generation; moves the treasury
  --plan                       says what it would do, and does nothing
  --at-once                    database, session, webhooks, cards, agent-keys, fee-payer: without overlap, where one
                               has leaked
  --stop                       database: closes every login, so that no Worker reads or writes anything; npm run setup
                               lets them in again, --at-once by other passwords
  --stage <name>               of the deployment in .deployment-<name>

Run again after an interruption, and again when it says that an older key can go. Environment:
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
    throw new UsageError(`--at-once is not for ${what}: what was made with its older keys needs them`)
  if (values.stop && (what !== 'database' || isAtOnce || values.plan))
    throw new UsageError('--stop is for database, alone')
  const env = takeEnvironment()
  const folder = folderOf(env, values)
  const options = { isPlan: values.plan, isAtOnce, isStop: values.stop, timeoutMs: CALL_MS }
  const work = () => rotateKeys({ folder, env, say: console.log }, what as What, options)
  await (values.plan ? work() : folder.alone(work))
})
