import { AMOUNT_FIELDS } from '../../../client/generated/facts.ts'
import { isVariable } from './requests.ts'

/** The literals of a language. */
type Dialect = {
  text: (value: string) => string
  number: (value: number, field: string) => string
  constant: (value: boolean | null) => string
  key: (name: string) => string
  variable: (name: string, isNumber: boolean) => string
  /** The space inside the braces of a one-line object. */
  space: string
  /** Follows the last entry of a broken list. */
  lastComma: string
}

/** The length of a one-line value; longer ones have several lines. */
const MAX_COLUMNS = 76

const json: Dialect = {
  text: (value) => JSON.stringify(value),
  number: String,
  constant: String,
  key: (name) => JSON.stringify(name),
  variable: (name, isNumber) => (isNumber ? `$${name}` : `"$${name}"`),
  space: '',
  lastComma: '',
}

const single = (value: string) =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const grouped = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, '_')

const typescript: Dialect = {
  text: single,
  number: (value, field) => (AMOUNT_FIELDS.has(field) ? `${grouped(value)}n` : String(value)),
  constant: String,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : single(name)),
  variable: (name, isNumber) => (isNumber ? `Number(process.env.${name})` : `process.env.${name}!`),
  space: ' ',
  lastComma: ',',
}

const python: Dialect = {
  ...json,
  constant: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  variable: (name, isNumber) => (isNumber ? `int(os.environ["${name}"])` : `os.environ["${name}"]`),
  lastComma: ',',
}

/** Returns a function that writes a value in a language, indented by `depth` steps. */
const writer =
  (dialect: Dialect) =>
  (value: unknown, depth = 0): string =>
    written(value, dialect, { depth, field: '' })

/** Writes JSON with the shell's variables. */
export const writeJson = writer(json)
/** Writes TypeScript: amounts are bigint. */
export const writeTypeScript = writer(typescript)
export const writePython = writer(python)

type Place = { depth: number; field: string }

function written(value: unknown, dialect: Dialect, { depth, field }: Place): string {
  if (isVariable(value)) return dialect.variable(value.slice(1), value.startsWith('#'))
  if (typeof value === 'string') return dialect.text(value)
  if (typeof value === 'number') return dialect.number(value, field)
  if (value === null || typeof value === 'boolean') return dialect.constant(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const entries = Array.isArray(value)
    ? value.map((entry) => ['', entry, field] as const)
    : Object.entries(value as object).map(([name, entry]) => [`${dialect.key(name)}: `, entry, name] as const)
  const parts = (step: number) =>
    entries.map(([key, entry, name]) => key + written(entry, dialect, { depth: depth + step, field: name }))
  const flat = parts(0).join(', ')
  const space = close === '}' && entries.length > 0 ? dialect.space : ''
  if (flat.length + 2 * depth <= MAX_COLUMNS && !flat.includes('\n'))
    return open + space + flat + space + close
  const indent = '  '.repeat(depth + 1)
  const last = `${dialect.lastComma}\n${'  '.repeat(depth)}${close}`
  return `${open}\n${indent}${parts(1).join(`,\n${indent}`)}${last}`
}
