import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { applyMigrations } from '../../migrations/migrations.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { identitiesOf } from '../../tools/keys/backup.ts'
import type { Command } from '../deploy/command.ts'
import { reconcile } from '../reconcile/run.ts'
import { CommandError, RetryableError } from '../setup/errors.ts'
import { createMaker, type Maker } from '../setup/journal.ts'
import { readSecrets } from '../setup/keys.ts'
import { wordsOf } from '../setup/neon.ts'
import { openNeon } from '../setup/neon-client.ts'
import { emptyBranch } from './branch.ts'
import { listed, restored } from './load.ts'
import { findPrograms, OLDEST } from './programs.ts'
import { isEmpty, withAwake } from './server.ts'

type RestoreOptions = {
  /** The backup. */
  file: string
  /** Age identities to open it with, comma separated; by default BACKUP_KEY of secrets.json. */
  keys: string | undefined
  /** The time of its last row; by default when pg_dump began, by the clock of its machine. */
  since: Date | undefined
  /** Fills the empty database of DATABASE_URL instead of a branch at Neon. */
  isIntoUrl: boolean
  timeoutMs: number
}

/** Records the branches and databases that a restore has begun to fill, so the next run goes on. */
const JOURNAL = 'restore.json'

/**
 * Restores a backup into a database that nobody uses yet. One transaction fills it, so it is empty or
 * complete. Then the database gets this folder's release, roles and rights, and `reconcile` reads the chain
 * since the backup. An interrupted run goes on when it is repeated.
 * @throws CommandError, UsageError with one sentence that says what to do
 */
export async function restore(command: Command, options: RestoreOptions): Promise<void> {
  const { folder, env, say } = command
  const { file, timeoutMs } = options
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}: name the backup to restore.`)
  const secrets = readSecrets(folder)
  const identities = identitiesOf(options.keys ?? secrets.BACKUP_KEY ?? '')
  if (identities.length === 0)
    throw new CommandError(
      `There is no BACKUP_KEY in ${folder.path('secrets.json')}: put that file back, or name a file that has the key with --identity.`,
    )
  const programs = await findPrograms(env, OLDEST)
  const { at } = await listed(programs.restore, file, identities)
  const since = options.since ?? at
  say(`      a backup of ${at.toISOString()}`)
  const maker = createMaker(folder, false, say, JOURNAL)
  const target = await targetOf(command, options, maker, at)
  await withAwake(target.url, timeoutMs, async (database) => {
    if (await isEmpty(database)) {
      maker.begin(target.note)
      // The backup creates the schema. If it is not empty, the drop fails, and so does the restore.
      await database.execScript('drop schema if exists public')
      await restored(programs.restore, file, identities, target.url)
      say('made  the tables and rows of the backup')
    } else if (maker.wasBegun(target.note)) say('kept  the tables and rows of the backup')
    else
      throw new CommandError(
        'The database of DATABASE_URL already has tables: name an empty one. A restore replaces nothing.',
      )
    await bringUp(database)
  })
  say('made  roles, rights, and the tables that this release has and the backup lacks')
  const rpcUrl = env.SOLANA_RPC_URL || secrets.SOLANA_RPC_URL
  await reconcile({ ...env, DATABASE_URL: target.url }, { since, rpcUrl, isPlan: false })
  say(`\n${target.next}`)
}

type Target = {
  url: string
  /** The journal's line for it. */
  note: string
  /** Instructions for the operator: how the Workers get this database. */
  next: string
}

async function targetOf(
  { folder, env }: Command,
  { file, isIntoUrl, timeoutMs }: RestoreOptions,
  maker: Maker,
  at: Date,
): Promise<Target> {
  const id = idOf(file)
  if (isIntoUrl) {
    const url = env.DATABASE_URL
    if (!url) throw new CommandError('Set DATABASE_URL to the direct URL of an empty database.')
    const { host, pathname } = new URL(url)
    return {
      url,
      note: `the backup ${id} in ${host}${pathname}`,
      next: 'The backup is restored into the database of DATABASE_URL.',
    }
  }
  const { neonProject } = folder.deployment()
  if (neonProject === undefined)
    throw new CommandError('The deployment has no Neon project: run npm run setup, which makes or takes one.')
  const client = openNeon(env, { timeoutMs })
  const name = `restore-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${id.slice(0, 6)}`
  const { id: branch, url } = await emptyBranch(client, neonProject, maker, name)
  return { url, note: `the backup ${id} in ${branch}`, next: nextOf(name) }
}

/** Returns an id of the backup. Each encryption begins with its own key, so the first bytes identify it. */
function idOf(file: string): string {
  const bytes = Buffer.alloc(1_024)
  const handle = openSync(file, 'r')
  const read = readSync(handle, bytes)
  closeSync(handle)
  return createHash('sha256').update(bytes.subarray(0, read)).digest('hex').slice(0, 16)
}

/** Resets the events' transaction numbers of the former server, which readers of the log would compare. */
const OWN_LOG = `set statement_timeout = 0; update events set xid = 0
  where exists (select from events where xid >= (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint)`

async function bringUp(database: SqlDatabase): Promise<void> {
  try {
    await applyMigrations(database)
    await database.execScript(OWN_LOG)
  } catch (error) {
    if (error instanceof Error && error.name === 'EngineUnavailable')
      throw new RetryableError('The database no longer answers: check it in Neon’s console.')
    throw new CommandError(
      `The backup can't be migrated to this folder's release: ${wordsOf(error)}. Check out the release that made it, and restore again.`,
    )
  }
}

const nextOf = (
  branch: string,
): string => `The branch ${branch} has the backup, and the Workers do not use it yet. To switch to it:
- if the Workers wrote to the former database since: npm run rotate -- database --stop, wait three minutes, and run this again;
- npm run rotate -- session --at-once, so that no revoked session is valid again;
- make ${branch} the default branch in Neon’s console, and run npm run setup: it gives the Workers its connection strings and enables their logins;
- then npm run rotate -- session and npm run rotate -- database --at-once (functions/runbooks.md, "Restore", from step 5).`
