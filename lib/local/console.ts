import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_FOLDER } from './tool.ts'

/** Where the local build of the console is kept. */
export const CONSOLE_FOLDER = join(BUILT_FOLDER, 'console')

/**
 * Lays out the console's files for a platform, with what its development wallet must know of the chain.
 * @param folder emptied first
 * @param chain undefined where there is a real cluster: then the wallet says that it is of no use
 */
export function layOutConsole(folder: string, chain: { rpcUrl: string; mint: string } | undefined): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(CONSOLE_FOLDER, folder, { recursive: true })
  if (chain) writeFileSync(join(folder, 'console/development.json'), JSON.stringify(chain))
}
