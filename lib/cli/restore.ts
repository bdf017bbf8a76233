import { readFileSync } from 'node:fs'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { restore } from './backup/restore.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { timeOf } from './reconcile/run.ts'
import { withRetryHint } from './setup/errors.ts'

const USAGE = `npm run restore -- <file>      restores a backup into a new branch of the deployment's Neon project; safe to run again
  --into-database-url          into the empty database of DATABASE_URL instead, for a drill
  --identity <file>            decrypts with the age keys of this file, instead of BACKUP_KEY of secrets.json
  --since <time>               the time of the backup's last row; by default the time when pg_dump began, by
                               the clock of its machine

It also reads the chain since that time (npm run reconcile). Workers do not use the restored database yet: the
output says how to switch. Needs pg_restore of the version that made the backup or later (PG_BIN: its folder).
Environment: NEON_API_KEY, or with --into-database-url DATABASE_URL, the direct URL of an empty database; with
Solana SOLANA_RPC_URL, else that of secrets.json; DEPLOYMENT_DIR instead of .deployment.`

/** The time limit of a call to Neon, and of the wait until the database is awake. */
const TIMEOUT_MS = 60_000

/** `npm run restore`: restores a backup into a database. */
await runMain('restore', USAGE, async () => {
  const { values, positionals } = readCommandLine({
    'into-database-url': { type: 'boolean', default: false },
    identity: { type: 'string' },
    since: { type: 'string' },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('name one file made by npm run backup')
  const since = values.since === undefined ? undefined : timeOf(values.since)
  const keys = values.identity === undefined ? undefined : keysIn(values.identity)
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const options = { file, keys, since, isIntoUrl: values['into-database-url'], timeoutMs: TIMEOUT_MS }
  const work = () => restore({ folder, env, say: console.log }, options)
  await withRetryHint('Run npm run restore again; it continues.', () => folder.alone(work))
})

/**
 * Reads the keys of a file, which has comments, too, if age-keygen wrote it.
 * @returns the keys, comma separated; empty if the file has none
 * @throws UsageError if the file can't be read
 */
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
