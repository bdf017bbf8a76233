import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode } from '../../schema/error-codes.ts'
import type { EventType } from '../../schema/values.ts'
import { buildAssets } from '../description/assets.ts'
import { buildDocument } from '../description/document.ts'
import { errorMeanings } from '../description/errors.ts'
import { eventDocs } from '../description/events.ts'
import { problems } from '../http/problems.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What can be generated, by name; each is written where it is committed (assets: where they are served from). */
const generators: Record<string, () => Promise<void> | void> = {
  types: () => run('wrangler', 'types', '--strict-vars=false', '--include-runtime=false'),
  migrations: () => run('drizzle-kit', 'generate'),
  openapi: async () => writeFileSync(join(ROOT, 'openapi.json'), await openApiText()),
  readme: () => writeFileSync(join(ROOT, 'README.md'), readmeText()),
  assets: buildAssets,
}

/** The text of openapi.json as the code says it should be. */
export const openApiText = async (): Promise<string> => `${JSON.stringify(await buildDocument(), null, 2)}\n`

/** README.md with its tables of error codes and events as the code says they should be. */
export function readmeText(): string {
  const tables = {
    'error-codes': (Object.keys(problems) as ErrorCode[]).map(
      (code) => `| ${code} | ${problems[code].status} | ${errorMeanings[code]} |\n`,
    ),
    events: (Object.keys(eventDocs) as EventType[]).map((type) => {
      const { meaning, log, webhook, example } = eventDocs[type]
      return `| ${type} | ${meaning} | ${log} | ${webhook ? 'yes' : ''} | \`${JSON.stringify(example.data)}\` |\n`
    }),
  }
  return Object.entries(tables).reduce(
    (readme, [name, rows]) => {
      const table = new RegExp(`(<!-- ${name} -->\\n(?:\\|.*\\n){2})(?:\\|.*\\n)*`)
      if (!table.test(readme)) throw new Error(`README.md has lost the markers of its table of ${name}`)
      return readme.replace(table, (_all, head: string) => head + rows.join(''))
    },
    readFileSync(join(ROOT, 'README.md'), 'utf8'),
  )
}

function run(command: string, ...args: string[]) {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** `npm run generate [-- types|migrations|openapi|readme|assets …]`: everything, or what is named. */
async function main(names: string[]) {
  for (const name of names.length > 0 ? names : Object.keys(generators)) {
    const generator = generators[name]
    if (!generator) throw new Error(`unknown: ${name}; known: ${Object.keys(generators).join(', ')}`)
    await generator()
  }
}

if (import.meta.main) await main(process.argv.slice(2))
