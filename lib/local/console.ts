import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../solana/chains.ts'
import { BUILT_FOLDER } from './tool.ts'

type EmbeddedChain = { rpcUrl: string; mint: string }
type Cluster = { name: Chain }

/** Where the local build of the console is kept. */
export const CONSOLE_FOLDER = join(BUILT_FOLDER, 'console')

/**
 * Lays out the console's files for a platform, with what its development wallet must know of the embedded
 * chain. Of a real cluster it is told nothing, and says that it is of no use there.
 * @param folder emptied first
 */
export function layOutConsole(folder: string, chain: EmbeddedChain | Cluster): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(CONSOLE_FOLDER, folder, { recursive: true })
  if ('rpcUrl' in chain) writeFileSync(join(folder, 'console/development.json'), JSON.stringify(chain))
  else {
    const page = join(folder, 'console/index.html')
    writeFileSync(page, readFileSync(page, 'utf8').replace('solana:localnet', chain.name))
  }
}
