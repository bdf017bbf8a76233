import type { SqlDatabase } from '../../migrations/protocol.ts'
import { isSame, type Release, runningRelease } from '../../migrations/release.ts'
import type { DeploymentFolder } from '../deploy/deployment.ts'
import type { Source } from '../deploy/source.ts'
import { CommandError } from './errors.ts'

/**
 * Checks that the folder's code is the code of the deployed Workers. Only an upgrade brings other code.
 * @param what what the command does, as in "npm run setup changes settings"
 * @returns the release that runs; undefined if no deployment was completed
 * @throws CommandError
 */
export async function requireSameCode(
  database: SqlDatabase,
  { release }: Source,
  what: string,
): Promise<Release | undefined> {
  const running = await runningRelease(database)
  if (running && !isSame(running, release))
    throw new CommandError(
      `Release ${running.version} is deployed, but this folder has other code (${release.version}): deploy it with npm run upgrade first. ${what} only with the deployed code.`,
    )
  return running
}

/** The file in which an unfinished upgrade or rollback keeps its state. */
export const UPGRADE = 'upgrade.json'

/**
 * Checks that no upgrade or rollback was interrupted. Workers of two releases may run then, and the versions
 * to go back to must keep their keys and settings.
 * @throws CommandError
 */
export function requireFinished(folder: DeploymentFolder): void {
  const journal = folder.read(UPGRADE) as { isDone?: boolean; isRollback?: boolean; to?: Release } | undefined
  // Release 1.0.0 left the file after the end, too.
  if (journal === undefined || journal.isDone) return
  const what = journal.isRollback ? 'rollback' : 'upgrade'
  const version = journal.to ? ` to release ${journal.to.version}` : ''
  throw new CommandError(
    `The ${what}${version} was interrupted: run npm run upgrade to go forward, or npm run upgrade -- --rollback to go back. Nothing was changed.`,
  )
}

/** Returns a warning for code that is in no commit: a rollback finds code by its commit alone. */
export const unbuildable = ({ release }: Source): string[] =>
  release.commit === undefined
    ? ['note  this folder’s code is in no commit: a later rollback can’t rebuild this release']
    : []
