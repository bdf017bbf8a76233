import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { readHead } from '../../../lib/cli/functions.ts'
import { applyMigrations, functionSources } from '../../../lib/local/neon/migrations.ts'
import { openPostgres } from '../../../lib/local/neon/postgres.ts'
import { startPostgres } from '../postgres-server.ts'
import { presentRelease } from './databases.ts'
import { keysOf } from './recorder.ts'
import { type Example, writeRecording } from './recording.ts'
import { replay } from './replay.ts'
import { emptyDatabase } from './rows.ts'

/**
 * Makes test/upgrade/<version> of what the tests of Workers have recorded: `<version> <folder>`. Of each statement
 * and answer it takes the smallest example that can be repeated.
 */
const [version = '', folder = ''] = process.argv.slice(2)

const candidates: Example[] = globSync(`${folder}/*.jsonl`)
  .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line))
  .toSorted((a, b) => a.rows.length - b.rows.length)

const server = await startPostgres()
const url = server.url('postgres')
const database = await openPostgres(url)
const client = new pg.Client({ connectionString: url })
try {
  await applyMigrations(database)
  const release = await presentRelease(database)
  await emptyDatabase(database)
  await client.connect()
  const shown = new Set<string>()
  const failed = new Map<string, string>()
  const examples: Example[] = []
  for (const example of candidates) {
    const fresh = keysOf(example).filter((key) => !shown.has(key))
    if (fresh.length === 0) continue
    const difference = await replay(client, example)
    if (difference !== undefined) {
      for (const key of fresh) failed.set(key, difference)
      continue
    }
    for (const key of fresh) shown.add(key)
    examples.push(example)
  }
  const bytes = writeRecording({ version, ...release, examples })
  console.log(`${examples.length} examples of ${shown.size} answers, ${Math.ceil(bytes / 1024)} KB`)
  for (const [key, difference] of failed) if (!shown.has(key)) console.log(`not repeatable: ${difference}`)
  for (const source of functionSources().filter(({ isPart }) => !isPart))
    for (const outcome of readHead(source).outcomes)
      if (![...shown].some((key) => key.includes(`"${source.name}"(`) && key.endsWith(` ${outcome}`)))
        console.log(`not recorded: ${source.name} ${outcome}`)
} finally {
  await client.end()
  await database.close()
  await server.stop()
}
