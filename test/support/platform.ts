import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createWallet, type KeyWallet, signerOf } from '../../lib/cli/wallet.ts'
import { type ClientOptions, createClient } from '../../lib/client/index.ts'
import { temporaryFolder } from './key-files.ts'
import { freePort, freePorts, runScript, type Script } from './process.ts'

type Variables = Awaited<ReturnType<typeof variablesOf>>

/**
 * The environment of a local platform of this test's own: ports that are free, state that is gone when it
 * ends.
 */
export const platformVariables = (changes: Record<string, string> = {}): Promise<Variables> =>
  variablesOf(temporaryFolder(), changes)

async function variablesOf(folder: string, changes: Record<string, string>) {
  return {
    PORT: String(await freePort()),
    NEON_PORT: String(await freePort()),
    SOLANA_RPC_PORT: String((await freePorts(2))[0]),
    INBOX_PORT: String(await freePort()),
    DATA_DIR: folder,
    DATABASE_URL: '',
    SOLANA_RPC_URL: '',
    ALLOW_LOCAL_WEBHOOKS: '',
    ...changes,
  }
}

/**
 * `npm run dev` for all tests of a file, since its start is dear.
 * @param changes makes, before the start, what its environment is to have beside free ports and a folder
 */
export function usePlatform(changes: () => Promise<Record<string, string>> = async () => ({})) {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-test-'))
  let env: Variables
  let script: Script
  beforeAll(async () => {
    env = await variablesOf(folder, await changes())
    script = runScript('dev', [], env)
    await script.printed(READY)
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

/** What the platform prints last. */
const READY = 'rate limits'

/** The address of the platform that has this environment. */
export const baseUrlOf = (env: { PORT: string }): string => `http://localhost:${env.PORT}/v1`

/** The client of somebody with a wallet, by default a new one. */
export const clientOf = (
  env: { PORT: string },
  wallet: KeyWallet = createWallet(),
  options: Partial<ClientOptions> = {},
) => createClient({ baseUrl: baseUrlOf(env), wallet: signerOf(wallet), ...options })

/** One of package.json's scripts, stopped when the test ends at the latest. */
export function start(name: string, env: Record<string, string>, ...args: string[]): Script {
  const script = runScript(name, args, env)
  onTestFinished(async () => {
    await script.stop()
  })
  return script
}

/** `npm run dev`, ready. */
export async function startPlatform(env: Record<string, string>, ...args: string[]): Promise<Script> {
  const script = start('dev', env, ...args)
  await script.printed(READY)
  return script
}
