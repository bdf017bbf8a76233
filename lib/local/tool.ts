import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the platform builds and keeps for its next start. */
export const BUILT_FOLDER = join(import.meta.dirname, '../../dist/local')

/**
 * Runs a module of this folder in a process of its own, so that the memory that it takes is free afterwards.
 * @throws Error with what it printed on stderr
 */
export async function runTool(name: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [
    ...['--import', join(import.meta.dirname, '../cli/loading.ts')],
    ...[join(import.meta.dirname, name), ...args],
  ])
}
