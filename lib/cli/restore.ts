import { readFileSync } from 'node:fs'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { restore } from './backup/restore.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { timeOf } from './reconcile/run.ts'
import { asCommand } from './setup/errors.ts'

const USAGE = `npm run restore -- <file>      restores a backup into a new branch of the deployment's Neon project; safe to run again
  --into-database-url          into the empty database of DATABASE_URL instead, for a drill
  --identity <file>            opens the backup by the age keys of this file, in the place of BACKUP_KEY of secrets.json
  --since <time>               the last moment that the backup has (when it was begun, by its machine's clock)

It reads the chain of the time since (npm run reconcile), and lets no Worker in: it says at the end what does. Needs pg_restore
of the version that made the backup or a later one (PG_BIN: the folder that it is in). Environment: NEON_API_KEY;
with Solana SOLANA_RPC_URL, else that of secrets.json; DEPLOYMENT_DIR instead of .deployment.`

const TIMEOUT_MS = 60_000

/** `npm run restore`: restores a backup into a database. */
await runMain('restore', USAGE, async () => {
  const { values, positionals } = readCommandLine({
    'into-database-url': { type: 'boolean', default: false },
    identity: { type: 'string' },
    since: { type: 'string' },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new UsageError('name one file, which npm run backup has made')
  const since = values.since === undefined ? undefined : timeOf(values.since)
  const keys = values.identity === undefined ? undefined : keysIn(values.identity)
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const options = { file, keys, since, isIntoUrl: values['into-database-url'], timeoutMs: TIMEOUT_MS }
  const work = () => restore({ folder, env, say: console.log }, options)
  await asCommand('Run npm run restore again: it goes on.', () => folder.alone(work))
})

/** Reads the keys of a file, which has comments, too, if age-keygen wrote it. */
function keysIn(path: string): string {
  try {
    return (
      readFileSync(path, 'utf8')
        .match(/^AGE-SECRET-KEY-.+$/gm)
        ?.join(',') ?? ''
    )
  } catch {
    throw new UsageError('--identity: the file can’t be read')
  }
}
