import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm'
/** A run keeps 1 to 2 GB of databases. */
const NEEDED_BYTES = 8 * 2 ** 30

/**
 * Moves the temporary files of this process and its children to a folder in memory: on a disk, each of
 * hundreds of databases costs ten times as much. Machines with little memory stay with their own folder.
 * @returns a function that deletes the folder
 */
export function keepTemporaryFilesInMemory(): () => void {
  const folder = makeFolder()
  if (folder === undefined) return () => {}
  // For what later runs are to find.
  process.env.LASTING_TMPDIR = tmpdir()
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function makeFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize < NEEDED_BYTES) return undefined
    const folder = mkdtempSync(join(IN_MEMORY, 'agentcred-test-'))
    try {
      // Postgres runs as another user.
      chmodSync(folder, 0o711)
      const program = join(folder, 'program')
      writeFileSync(program, '', { mode: 0o755 })
      accessSync(program, constants.X_OK)
      return folder
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  } catch {
    // There is no folder in memory, or programs may not run there.
    return undefined
  }
}
