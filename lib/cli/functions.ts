import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_SCHEMA } from '../../schema/release.ts'
import { openPglite } from '../local/neon/pglite.ts'
import { applyMigrations, type FunctionSource, functionSources } from '../migrations/migrations.ts'

const SCHEMA = join(import.meta.dirname, '../../schema')

/** The file of the functions' declarations. */
export const FUNCTIONS = join(import.meta.dirname, '../db/functions.ts')

/** A function in Postgres' catalog, with Postgres' names of types. */
type Signature = { name: string; parameters: Named[]; results: Named[] }
type Named = { name: string; type: string }

/**
 * The comments at the head of a function's file: prose, then optional lines. `outcome:` lists the values of
 * that result, separated by `|`. `optional:` and `nullable:` list parameters and results that may be null.
 * `types:` lists results' types in TypeScript, as in `owner Wallet`.
 */
type Head = {
  prose: string
  outcomes: string[]
  optional: string[]
  nullable: string[]
  types: Map<string, string>
}

const CATALOG = `
  select proname, mode, arg, format_type(type, null)
  from pg_proc, unnest(coalesce(proallargtypes, proargtypes::oid[]), coalesce(proargmodes, array_fill('i'::"char",
    array[pronargs])), proargnames) with ordinality as args (type, mode, arg, position)
  where pronamespace = '${API_SCHEMA}'::regnamespace order by proname, position`

/** Makes the text of lib/db/functions.ts from a database with the functions and from their files. */
export async function functionsText(): Promise<string> {
  const signatures = await readSignatures()
  const declarations = functionSources()
    .filter(({ isPart }) => !isPart)
    .flatMap((source) => {
      const signature = signatures.get(source.name)
      if (signature === undefined)
        throw new Error(`${source.name}.sql must create a function of the same name`)
      // Only assert_session returns nothing; lib/db/session.ts sends it.
      return signature.results.length === 0 ? [] : declarationOf(signature, readHead(source))
    })
  const text = declarations.join('\n')
  const names = new Set(
    declarations.flatMap((text) => [...text.matchAll(/^ {2}\w+: ([A-Z]\w*)/gm)].map(([, name = '']) => name)),
  )
  names.delete('Date')
  const imports = [...names]
    .toSorted()
    .map((name) => `import type { ${name} } from '../../schema/${moduleOf(name)}'\n`)
  return [
    BEGINNING,
    ...imports,
    "import { postgresFunction, sessionFunction } from './function.ts'\n\n",
    text,
  ].join('')
}

const BEGINNING = '// Generated from schema/functions by npm run generate -- functions. Do not edit.\n'

/** Returns the file of schema/ that exports a type. */
function moduleOf(type: string): string {
  const declared = new RegExp(`^export type ${type}\\b`, 'm')
  const found = readdirSync(SCHEMA).find(
    (file) => file.endsWith('.ts') && declared.test(readFileSync(join(SCHEMA, file), 'utf8')),
  )
  if (found === undefined) throw new Error(`no file in schema/ exports the type ${type}`)
  return found
}

async function readSignatures(): Promise<Map<string, Signature>> {
  const database = await openPglite()
  try {
    await applyMigrations(database)
    const [result] = await database.run([{ query: CATALOG, params: [] }])
    const signatures = new Map<string, Signature>()
    for (const [function_ = '', mode, arg, type] of (result?.rows ?? []) as string[][]) {
      const signature = signatures.get(function_) ?? { name: function_, parameters: [], results: [] }
      signatures.set(function_, signature)
      const list = mode === 't' ? signature.results : signature.parameters
      list.push({ name: arg?.replace(/^_/, '') ?? '', type: TYPE_NAMES[type ?? ''] ?? type ?? '' })
    }
    return signatures
  } finally {
    await database.close()
  }
}

/** The names in lib/db/statement.ts of types with another name in the catalog. */
const TYPE_NAMES: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp with time zone[]': 'timestamptz[]',
}

/**
 * Reads a function's head.
 * @throws Error for a line that begins like a list, with an unknown word
 */
export function readHead({ name, text }: FunctionSource): Head {
  const lines = text.split('\n')
  const lists = new Map<string, string[]>()
  const prose: string[] = []
  for (const line of lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('--')),
  )) {
    const [, word, list] = /^-- (outcome|optional|nullable|types): (.*)$/.exec(line) ?? []
    if (word === undefined || list === undefined) prose.push(line.replace(/^-- ?/, ''))
    else lists.set(word, list.split(word === 'outcome' ? ' | ' : ', '))
  }
  if (prose.length === 0) throw new Error(`${name}.sql must begin with a comment that says what it does`)
  return {
    prose: prose.join('\n'),
    outcomes: lists.get('outcome') ?? [],
    optional: lists.get('optional') ?? [],
    nullable: lists.get('nullable') ?? [],
    types: new Map((lists.get('types') ?? []).map((entry) => entry.split(' ') as [string, string])),
  }
}

function declarationOf({ name, parameters, results }: Signature, head: Head): string {
  const known = new Set([...parameters, ...results].map((one) => one.name))
  const unknown = [...head.optional, ...head.nullable, ...head.types.keys()].find((one) => !known.has(one))
  if (unknown !== undefined)
    throw new Error(`the head of ${name}.sql names ${unknown}, which the function does not have`)
  const rowType = results.map((result) => {
    const type =
      result.name === 'outcome' && head.outcomes.length > 0
        ? head.outcomes.map((outcome) => `'${outcome}'`).join(' | ')
        : (head.types.get(result.name) ?? SCRIPT_TYPES[result.type])
    if (type === undefined) throw new Error(`${name}.sql returns a ${result.type}, which no caller can read`)
    return `  ${camel(result.name)}: ${type}${head.nullable.includes(result.name) ? ' | null' : ''}\n`
  })
  const typeList = (list: Named[], mayBeNull: string[]) =>
    list.map((one) => `    ${camel(one.name)}: '${one.type}${mayBeNull.includes(one.name) ? '?' : ''}',\n`)
  const [first, second, ...others] = parameters
  const isOfSession = first?.name === 'session_wallet' && second?.name === 'session_generation'
  return [
    `/**\n${head.prose.replace(/^/gm, ' * ')}\n`,
    ' */\n',
    `export const ${camel(name)} = /* @__PURE__ */ ${isOfSession ? 'sessionFunction' : 'postgresFunction'}<{\n`,
    `${rowType.join('')}}>()(\n  '${name}',\n  {\n`,
    ...typeList(isOfSession ? others : parameters, head.optional),
    '  },\n  {\n',
    ...typeList(results, head.nullable),
    '  },\n)\n',
  ].join('')
}

/** The types of results in TypeScript. */
const SCRIPT_TYPES: Record<string, string> = {
  text: 'string',
  uuid: 'string',
  boolean: 'boolean',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  bigint: 'bigint',
  timestamptz: 'Date',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  'smallint[]': 'number[]',
}

const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
