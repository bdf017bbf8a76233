import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../solana/chains.ts'
import type { AccountKeys } from './accounts.ts'
import { BUILT_FOLDER } from './build.ts'

/**
 * The console's settings on a local platform: the chain's URL, the token, the inbox, the URL of the example
 * market, the keys of the development wallet.
 */
type ConsoleSettings = {
  chain?: { rpcUrl: string; mint: string }
  inboxUrl?: string | undefined
  exampleUrl?: string | undefined
  accounts?: AccountKeys | undefined
}

/** The folder of the console's local build. */
export const CONSOLE_FOLDER = join(BUILT_FOLDER, 'console')

/**
 * Writes the console's files for a platform, with the settings in development.json
 * (lib/console/development.ts).
 * @param folder emptied first
 * @param chain the chain that wallets sign for
 */
export function layOutConsole(folder: string, chain: Chain, settings: ConsoleSettings): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(CONSOLE_FOLDER, folder, { recursive: true })
  writeFileSync(join(folder, 'console/development.json'), JSON.stringify(settings))
  const page = join(folder, 'console/index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('solana:localnet', chain))
}
