import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseChain } from '../solana/chains.ts'
import { buildAssets } from '../tools/description/assets.ts'
import { writeClientTypes } from '../tools/description/client-types.ts'
import { buildConsole } from '../tools/description/console.ts'
import { buildDocument } from '../tools/description/document.ts'
import { buildCatalog } from '../tools/description/mcp-tools.ts'
import { writeServerJson } from '../tools/description/server-json.ts'
import { writeTables } from '../tools/description/tables.ts'
import { readableJson } from '../tools/description/text.ts'
import { readRaw, readWorkers } from '../tools/wrangler.ts'
import { readCommandLine, runMain } from './arguments.ts'
import { pathsOf, type RawConfig } from './deploy/config.ts'
import { groupsLeftOut } from './deploy/deployment.ts'
import { FUNCTIONS, functionsText } from './functions.ts'
import { NEEDS_MIGRATION, needsMigration, writeMigration } from './generate/migrations.ts'
import { readRuns } from './generate/runs.ts'
import type { GeneratorName } from './scripts.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The generators by name. Each writes committed files, except two: `assets` writes the served files, and
 * `server` writes dist/server.json, this deployment's entry in the MCP registry.
 */
const generators: Record<GeneratorName, (migration?: string) => Promise<void> | void> = {
  types: () => run('wrangler', 'types', '--strict-vars=false', '--include-runtime=false'),
  migrations(name) {
    if (name !== undefined) writeMigration(name)
    else if (needsMigration()) throw new Error(NEEDS_MIGRATION)
  },
  functions: async () => writeFileSync(FUNCTIONS, await functionsText()),
  openapi: async () => writeFileSync(OPENAPI, await openApiText()),
  client: writeClientTypes,
  mcp: async () => writeFileSync(MCP_TOOLS, await mcpToolsText()),
  tables: writeTables,
  assets: () =>
    buildAssets(join(ROOT, 'dist/assets'), pathsOf(readRaw() as RawConfig, groupsLeftOut(builtFor()))),
  console: () => buildConsole(join(ROOT, 'dist/console'), consoleOf(builtFor())),
  server: () => writeServerJson(readWorkers()),
}

/** The settings of the deployment to build for: its cluster, live events, and where visitors get CRED. */
const builtFor = () => {
  const { SOLANA_CHAIN, LIVE, FUNDING_URL = '' } = process.env
  const solana = SOLANA_CHAIN === 'none' ? ('none' as const) : parseChain(SOLANA_CHAIN || 'solana:mainnet')
  return { solana, live: LIVE === 'off' ? ('off' as const) : ('on' as const), fundingUrl: FUNDING_URL }
}

/**
 * Returns the console's settings. Wallets sign for the deployment's cluster. Without one they still sign
 * logins, and the console leaves out everything that needs the chain.
 */
const consoleOf = ({ solana, live, fundingUrl }: ReturnType<typeof builtFor>) => ({
  chain: solana === 'none' ? ('solana:mainnet' as const) : solana,
  isOnChain: solana !== 'none',
  isLive: live === 'on',
  fundingUrl,
})

export const OPENAPI = join(ROOT, 'openapi.json')

/** The file of the MCP server's tool definitions, which its Worker serves. */
export const MCP_TOOLS = join(ROOT, 'lib/mcp/tools.json')

/** Returns the tool definitions' text, built from the code. */
export const mcpToolsText = async (): Promise<string> => `${readableJson(await buildCatalog())}\n`

/** Returns the text of openapi.json, built from the code. */
export const openApiText = async (): Promise<string> => `${readableJson(await buildDocument())}\n`

function run(command: string, ...args: string[]) {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function main() {
  const { positionals } = readCommandLine('generate')
  for (const { generator, migration } of readRuns(positionals, Object.keys(generators)))
    await generators[generator as GeneratorName](migration)
}

if (import.meta.main) await runMain('generate', main)
