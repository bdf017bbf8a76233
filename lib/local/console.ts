import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../solana/chains.ts'
import { BUILT_FOLDER } from './build.ts'

/**
 * What the console of a local platform can know of it: where its chain answers, its token, its inbox, where
 * to ask for an example market.
 */
type Told = {
  chain?: { rpcUrl: string; mint: string }
  inboxUrl?: string | undefined
  exampleUrl?: string | undefined
}

/** Where the local build of the console is kept. */
export const CONSOLE_FOLDER = join(BUILT_FOLDER, 'console')

/**
 * Lays out the console's files for a platform, with what development.json tells it
 * (lib/console/development.ts).
 * @param folder emptied first
 * @param chain what wallets are asked to sign for
 */
export function layOutConsole(folder: string, chain: Chain, told: Told): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(CONSOLE_FOLDER, folder, { recursive: true })
  writeFileSync(join(folder, 'console/development.json'), JSON.stringify(told))
  const page = join(folder, 'console/index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('solana:localnet', chain))
}
