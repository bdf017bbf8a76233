import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readHead } from '../../../lib/cli/functions.ts'
import { applyMigrations, functionSources } from '../../../lib/migrations/migrations.ts'
import { openPostgres } from '../../../lib/migrations/postgres.ts'
import { OWNERS } from '../../../schema/rights.ts'
import { startPostgres } from '../postgres-server.ts'
import { presentRelease } from './databases.ts'
import { keysOf } from './recorder.ts'
import { type Example, writeRecording } from './recording.ts'
import { replay } from './replay.ts'
import { emptyDatabase } from './rows.ts'

/**
 * Makes test/upgrade/<version> of what the tests of Workers have recorded: `<version> <folder>`. Of each
 * statement and answer it takes the smallest example that can be repeated.
 */
const [version = '', folder = ''] = process.argv.slice(2)

const candidates: Example[] = globSync('*.jsonl', { cwd: folder })
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line))

/**
 * Yields examples that show something new, the cheapest first. Rows that earlier examples have brought cost
 * nothing.
 * @param shown what repeatable earlier examples have shown
 */
function* choose(candidates: Example[], shown: Set<string>): Generator<Example> {
  const costs = new Map<string, number>()
  let left = candidates.map((example) => {
    const rows = example.rows.map((row) => row.join(' '))
    for (const row of rows) costs.set(row, row.length)
    return { example, rows, keys: keysOf(example) }
  })
  const priceOf = ({ rows, keys }: (typeof left)[number]) => {
    const cost = rows.reduce((sum, row) => sum + (costs.get(row) ?? 0), 0)
    return cost / keys.filter((key) => !shown.has(key)).length
  }
  while (true) {
    left = left.filter(({ keys }) => keys.some((key) => !shown.has(key)))
    const prices = left.map(priceOf)
    const [best] = left.splice(prices.indexOf(Math.min(...prices)), 1)
    if (best === undefined) return
    yield best.example
    if (best.keys.every((key) => shown.has(key))) for (const row of best.rows) costs.set(row, 0)
  }
}

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
  for (const example of choose(candidates, shown)) {
    const difference = await replay(client, example)
    for (const key of keysOf(example))
      if (difference === undefined) shown.add(key)
      else failed.set(key, difference)
    if (difference === undefined) examples.push(example)
  }
  const bytes = writeRecording({ version, ...release, examples })
  console.log(`${examples.length} examples of ${shown.size} answers, ${Math.ceil(bytes / 1024)} KB`)
  const lost = [...failed].flatMap(([key, difference]) => (shown.has(key) ? [] : [difference]))
  for (const difference of new Set(lost)) console.log(`not repeatable: ${difference}`)
  for (const source of functionSources().filter(
    ({ isPart, name }) => !isPart && !OWNERS.functions.includes(name),
  ))
    for (const outcome of readHead(source).outcomes)
      if (![...shown].some((key) => key.includes(`"${source.name}"(`) && key.endsWith(` ${outcome}`)))
        console.log(`not recorded: ${source.name} ${outcome}`)
} finally {
  await client.end()
  await database.close()
  await server.stop()
}
