import type { SqlDatabase } from '../../local/neon/protocol.ts'
import { isSame, runningRelease } from '../../local/neon/release.ts'
import type { Source } from '../deploy/source.ts'
import { Fault } from './faults.ts'

/**
 * Holds the folder's code against that of the Workers that run: only an upgrade brings other code.
 * @param what the command does, as in "npm run setup changes settings"
 * @throws Fault
 */
export async function requireSameCode(
  database: SqlDatabase,
  { release }: Source,
  what: string,
): Promise<void> {
  const running = await runningRelease(database)
  if (running && !isSame(running, release))
    throw new Fault(
      `The Workers of release ${running.version} run, and this folder has other code (${release.version}): npm run upgrade brings it. ${what}, with the code that runs.`,
    )
}
