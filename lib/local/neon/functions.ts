import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { API_SCHEMA } from '../../../schema/release.ts'
import type { SqlDatabase } from './protocol.ts'

const FUNCTIONS = join(import.meta.dirname, '../../../schema/functions')

/** A function of Postgres: its name, its file's text, and whether Workers call it or only other functions. */
export type FunctionSource = { name: string; text: string; isPart: boolean }

/** All functions of schema/functions by name, parts first. */
export const functionSources = (): FunctionSource[] =>
  ['parts/*.sql', '*.sql'].flatMap((pattern, index) =>
    globSync(pattern, { cwd: FUNCTIONS })
      .toSorted()
      .map((file) => ({
        name: basename(file, '.sql'),
        text: readFileSync(join(FUNCTIONS, file), 'utf8'),
        isPart: index === 0,
      })),
  )

/** What names the state of all functions: a hash of their texts. */
export const functionsHash = (): string =>
  functionSources()
    .reduce((hash, { name, text }) => hash.update(`\0${name}\0${text}`), createHash('sha256'))
    .digest('hex')

/**
 * Makes the release's functions in a schema of their own, in one transaction, unless the schema has them.
 * Functions pin the search_path that is set here (`set search_path from current`): first their own schema,
 * last the one in which anybody may make temporary objects.
 */
export async function applyFunctions(database: SqlDatabase): Promise<void> {
  const hash = functionsHash()
  const [known] = await database.run([
    { query: `select obj_description(to_regnamespace('${API_SCHEMA}'), 'pg_namespace')`, params: [] },
  ])
  if (known?.rows[0]?.[0] === hash) return
  await database.execScript(`begin;
    set local check_function_bodies = off;
    drop schema if exists ${API_SCHEMA} cascade;
    create schema ${API_SCHEMA};
    comment on schema ${API_SCHEMA} is '${hash}';
    set local search_path = ${API_SCHEMA}, public, pg_temp;
    ${functionSources()
      .map(({ text }) => text)
      .join('\n')}
    commit;`)
}
