import { readOptions, runMain } from './arguments.ts'
import { backUp } from './backup/dump.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { withRetryHint } from './setup/errors.ts'

const USAGE = `npm run backup [-- options]    writes an encrypted backup of the deployment's database into one file
  --out <file>                 the file to write (backups/<name>-<time>.dump.age in .deployment)
  --recipient <age1…>          the public key to encrypt for, instead of BACKUP_KEY of secrets.json

Needs pg_dump of the server's version or later (PG_BIN: its folder). Environment: DATABASE_URL, the owner's direct
one, else that of secrets.json, else NEON_API_KEY asks Neon; DEPLOYMENT_DIR instead of .deployment.`

/** The time limit of a call to Neon, and of the wait until the database is awake. */
const TIMEOUT_MS = 60_000

/** `npm run backup`: writes an encrypted backup, safe from mistakes and from the loss of a provider. */
await runMain('backup', USAGE, async () => {
  const { out, recipient } = readOptions({ out: { type: 'string' }, recipient: { type: 'string' } })
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const options = { out, recipient, timeoutMs: TIMEOUT_MS, now: new Date() }
  const work = () => backUp({ folder, env, say: console.log }, options)
  await withRetryHint('Run npm run backup again; no file was left behind.', work)
})
