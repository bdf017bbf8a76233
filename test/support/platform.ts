import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createWallet, type KeyWallet, signerOf } from '../../lib/cli/wallet.ts'
import { type ClientOptions, createClient } from '../../lib/client/index.ts'
import { temporaryFolder } from './key-files.ts'
import { portsOf, READY, runScript, type Script } from './process.ts'

type Variables = ReturnType<typeof variablesOf>

/**
 * Returns the environment of a local platform of this test's own. The system chooses its ports, and its state
 * is deleted when the test ends.
 */
export const platformVariables = (changes: Record<string, string> = {}): Variables =>
  variablesOf(temporaryFolder(), changes)

function variablesOf(folder: string, changes: Record<string, string>) {
  return {
    PORT: '0',
    NEON_PORT: '0',
    SOLANA_RPC_PORT: '0',
    INBOX_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: '',
    SOLANA_RPC_URL: '',
    ALLOW_LOCAL_WEBHOOKS: '',
    ...changes,
  }
}

/**
 * `npm run dev` for all tests of a file, since its start is dear.
 * @param changes makes, before the start, the rest of its environment
 * @param args of the command
 */
export function usePlatform(
  changes: () => Promise<Record<string, string>> = async () => ({}),
  args: string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-test-'))
  let env: Variables
  let script: Script
  beforeAll(async () => {
    const wanted = variablesOf(folder, await changes())
    script = runScript('dev', args, wanted)
    await script.printed(READY)
    env = { ...wanted, ...portsOf(script) }
  })
  afterAll(async () => {
    await script?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    get env() {
      return env
    },
    get script() {
      return script
    },
  }
}

/** The address of the platform that has this environment. */
export const baseUrlOf = (env: { PORT: string }): string => `http://localhost:${env.PORT}/v1`

/** The client of somebody with a wallet, by default a new one. */
export const clientOf = (
  env: { PORT: string },
  wallet: KeyWallet = createWallet(),
  options: Partial<ClientOptions> = {},
) => createClient({ baseUrl: baseUrlOf(env), wallet: signerOf(wallet), ...options })

/** One of package.json's scripts, stopped when the test ends at the latest. */
export function start(name: string, env: Record<string, string>, args: string[] = [], root?: string): Script {
  const script = runScript(name, args, env, root)
  onTestFinished(async () => {
    await script.stop()
  })
  return script
}

/**
 * Starts `npm run dev` and waits until it is ready.
 * @param root a folder that has a copy of the project, to run it there
 * @returns the script, and its environment with ports
 */
export async function startPlatform(
  env: Variables,
  args: string[] = [],
  root?: string,
): Promise<Script & { env: Variables }> {
  const script = start('dev', env, args, root)
  await script.printed(READY)
  return { ...script, env: { ...env, ...portsOf(script) } }
}
