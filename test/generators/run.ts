import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine, runMain } from '../../lib/cli/arguments.ts'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { createClient } from '../../lib/client/index.ts'
import { portsOf, READY, runScript } from '../support/process.ts'
import { generators } from './generators.ts'
import { checkMachine, install, WORKSHOP, write } from './workshop.ts'

const NAME = 'Generated Scout'

/**
 * `npm run check:generators [-- <part of a name> …]`: has generators of clients write code from the API
 * description, compiles it, and makes one call with it to a platform of its own.
 */
async function main() {
  const { positionals: wanted } = readCommandLine('check:generators')
  checkMachine()
  install()
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-generators-'))
  const anyPort = { PORT: '0', NEON_PORT: '0', SOLANA_RPC_PORT: '0', INBOX_PORT: '0' }
  const platform = runScript('dev', ['--json'], { ...anyPort, DATABASE_URL: '', DATA_DIR: folder })
  try {
    await platform.printed(READY)
    const baseUrl = `http://localhost:${portsOf(platform).PORT}/v1`
    await prepare(baseUrl)
    const chosen = generators.filter(
      ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
    )
    const failed = chosen.filter(({ name, version, document, call }) => {
      const problem = problemOf(() => call(join(WORKSHOP, document), baseUrl))
      console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${name} ${version}, ${document}`)
      if (problem !== undefined) console.log(problem)
      return problem !== undefined
    })
    if (failed.length === 0) return
    console.error(
      `\n${failed.length} of ${chosen.length} failed: ${failed.map(({ name }) => name).join(', ')}`,
    )
    process.exitCode = 1
  } finally {
    await platform.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Registers the agent that the calls read, and fetches both documents. */
async function prepare(baseUrl: string) {
  const client = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await client.login()
  const body = { name: NAME, agentType: 'autonomous' as const, supportedLayers: [1] }
  await client.call('POST /agents/register', { body })
  for (const document of ['openapi.json', 'openapi-3.0.json'])
    write(document, await (await fetch(`${baseUrl}/${document}`)).text())
}

function problemOf(call: () => string): string | undefined {
  try {
    const printed = call().trim()
    return printed === NAME ? undefined : `it read "${printed}" for "${NAME}"`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

await runMain('check:generators', main)
