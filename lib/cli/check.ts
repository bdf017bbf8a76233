import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readClientTypes } from '../tools/description/client-types.ts'
import { openApi30 } from '../tools/description/openapi-3-0.ts'
import { readTables } from '../tools/description/tables.ts'
import { readableJson } from '../tools/description/text.ts'
import { linesWithGoneFiles, longCommentLines } from './comment-lines.ts'
import { FUNCTIONS, functionsText } from './functions.ts'
import { NEEDS_MIGRATION, needsMigration } from './generate/migrations.ts'
import { MCP_TOOLS, mcpToolsText, OPENAPI, openApiText } from './generate.ts'

const ROOT = join(import.meta.dirname, '../..')

/** One check: the claim it proves, and a function that returns the failure or undefined. */
type Check = { name: string; run: () => Promise<string | undefined> | string | undefined }

/** `npm run check`: all checks that don't need the running service. */
const checks: Check[] = [
  { name: 'types', run: () => command('tsc', '--noEmit', '-p', '.') },
  { name: 'types of Workers', run: () => command('tsc', '--noEmit', '-p', 'tsconfig.worker.json') },
  { name: 'types of the client in a browser', run: () => command('tsc', '--noEmit', '-p', 'lib/client') },
  { name: 'types of the React hooks', run: () => command('tsc', '--noEmit', '-p', 'lib/react') },
  { name: 'types of the console', run: () => command('tsc', '--noEmit', '-p', 'lib/console') },
  { name: 'lint and format', run: () => command('biome', 'ci', '--colors=off', '.') },
  { name: 'comments end within 110 columns', run: () => longCommentLines(ROOT).join('\n') || undefined },
  {
    name: 'comments name files that exist',
    run: () => linesWithGoneFiles(ROOT).join('\n') || undefined,
  },
  {
    name: 'worker types are fresh',
    run: () => command('wrangler', 'types', '--strict-vars=false', '--include-runtime=false', '--check'),
  },
  { name: 'migrations are consistent', run: () => command('drizzle-kit', 'check') },
  { name: 'migrations are fresh', run: () => (needsMigration() ? NEEDS_MIGRATION : undefined) },
  {
    name: 'declarations of Postgres functions are fresh',
    run: async () => isFresh(FUNCTIONS, 'functions', await functionsText()),
  },
  { name: 'openapi.json is fresh', run: async () => isFresh(OPENAPI, 'openapi', await openApiText()) },
  { name: 'client types are fresh', run: clientTypesAreFresh },
  { name: 'MCP tools are fresh', run: async () => isFresh(MCP_TOOLS, 'mcp', await mcpToolsText()) },
  { name: 'generated tables are fresh', run: tablesAreFresh },
  { name: 'openapi.json is valid', run: () => lint('openapi.json') },
  { name: 'openapi.json as OpenAPI 3.0 is valid', run: translationIsValid },
]

const lint = (file: string): string | undefined =>
  command('redocly', 'lint', file, '--extends=recommended', '--skip-rule=info-license')

function translationIsValid(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-openapi-'))
  const file = join(folder, 'openapi-3.0.json')
  try {
    writeFileSync(file, readableJson(openApi30(JSON.parse(readFileSync(OPENAPI, 'utf8')))))
    return lint(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function command(name: string, ...args: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(name, args, {
    cwd: ROOT,
    encoding: 'utf8',
    // Keeps the tools from contacting other hosts for updates and telemetry.
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      WRANGLER_SEND_METRICS: 'false',
    },
  })
  return status === 0 ? undefined : `${stdout}${stderr}`.trim() || `${name} ended with ${status}`
}

function isFresh(file: string, generator: string, text: string): string | undefined {
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return committed === text ? undefined : `run npm run generate -- ${generator} and commit the file`
}

async function clientTypesAreFresh(): Promise<string | undefined> {
  const stale = (await readClientTypes()).filter(({ text, fresh }) => text !== fresh).map(({ file }) => file)
  return stale.length === 0 ? undefined : `run npm run generate -- client and commit ${stale.join(', ')}`
}

async function tablesAreFresh(): Promise<string | undefined> {
  const stale = (await readTables()).filter(({ text, fresh }) => text !== fresh).map(({ file }) => file)
  return stale.length === 0 ? undefined : `run npm run generate -- tables and commit ${stale.join(', ')}`
}

const failed: string[] = []
for (const { name, run } of checks) {
  const problem = await run()
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${name}`)
  if (problem !== undefined) {
    console.log(problem)
    failed.push(name)
  }
}
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
