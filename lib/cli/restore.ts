import { readFileSync } from 'node:fs'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { restore } from './backup/restore.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { timeOf } from './reconcile/run.ts'
import { withRetryHint } from './setup/errors.ts'

/** The time limit of a call to Neon, and of the wait until the database is awake. */
const TIMEOUT_MS = 60_000

/** `npm run restore`: restores a backup into a database. */
await runMain('restore', async () => {
  const { values, positionals } = readCommandLine('restore')
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
