import { suggestion, UsageError } from '../arguments.ts'

/** One generator to run, and the name of the migration that it writes. */
type Run = { generator: string; migration?: string }

const MIGRATION = /^[a-z][a-z0-9_]*$/

/**
 * Reads the words after `npm run generate --`: names of generators, and the new migration's name after
 * `migrations`. Without a word all generators run, and none writes a migration.
 * @throws UsageError for an unknown generator, or a migration without a name
 */
export function readRuns(words: string[], generators: string[]): Run[] {
  if (words.length === 0) return generators.map((generator) => ({ generator }))
  const runs: Run[] = []
  const rest = words.values()
  for (const generator of rest) {
    if (!generators.includes(generator))
      throw new UsageError(`there is no generator ${generator}.${suggestion(generator, generators)}`)
    runs.push(generator === 'migrations' ? { generator, migration: nameOf(rest, generators) } : { generator })
  }
  return runs
}

function nameOf(words: Iterator<string>, generators: string[]): string {
  const { value } = words.next()
  if (typeof value === 'string' && MIGRATION.test(value) && !generators.includes(value)) return value
  throw new UsageError('name the migration in lower case: npm run generate -- migrations agent_support_url')
}
