import { posix } from 'node:path'
import { isMade } from '../made-variables.ts'

/**
 * Makes the table of variables in functions/operate.md from wrangler.toml. A comment describes the variables
 * on the lines below it, up to a blank line or the next comment. A variable of several Workers is described
 * where it first stands. The file is read as text, since a TOML parser drops comments.
 */

/** A row of the table: variables with one comment. */
type Row = { names: string[]; defaults: string[]; meaning: string }

/** functions/limits.md describes the limits by address. */
const isLeftOut = (name: string): boolean => isMade(name) || name.endsWith('_PER_ADDRESS')

/** A section of variables: its lines. */
const SECTION = /^\[env\.\w+\.vars\]\n((?:(?!\[).*\n)*)/gm
/** Variables, and the comment directly above them. */
const BLOCK = /((?:^#.*\n)*)((?:^\w+ *=.*\n)+)/gm
const VARIABLE = /^(\w+) *= *(.*)$/gm

/**
 * Returns the rows of the table, by name.
 * @param toml the text of wrangler.toml
 * @throws Error that names a variable without a comment, with two comments or with two defaults
 */
export const settingRows = (toml: string): string[] =>
  rowsOf(toml)
    .toSorted(({ names: [a = ''] }, { names: [b = ''] }) => (a < b ? -1 : 1))
    .map(({ names, defaults, meaning }) => [
      names.join(', '),
      defaults.some((value) => value !== '') ? defaults.join(', ') : '',
      meaning.replace(PATH, linkOf),
    ])
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)

function rowsOf(toml: string): Row[] {
  const first = new Map<string, { value: string; meaning: string }>()
  return [...toml.matchAll(SECTION)]
    .flatMap(([, lines = '']) => [...lines.matchAll(BLOCK)])
    .map(([, comment = '', lines = '']) => {
      const meaning = comment.replace(/^# ?/gm, '').trim().replaceAll('\n', ' ')
      const row: Row = { names: [], defaults: [], meaning }
      for (const [, name = '', text = ''] of lines.matchAll(VARIABLE)) {
        const value = text.replaceAll('"', '')
        const before = first.get(name)
        if (before === undefined) {
          if (meaning === '')
            throw errorOf(name, 'has no comment. Write one above it, where it first stands.')
          first.set(name, { value, meaning })
          if (isLeftOut(name)) continue
          row.names.push(name)
          row.defaults.push(value)
        } else if (meaning !== '' && meaning !== before.meaning)
          throw errorOf(name, 'has two comments. Delete the later one, and move the variable above it.')
        else if (value !== before.value)
          throw errorOf(name, `has two defaults, "${before.value}" and "${value}". Keep one.`)
      }
      return row
    })
    .filter(({ names }) => names.length > 0)
}

const errorOf = (name: string, problem: string): Error => new Error(`wrangler.toml: ${name} ${problem}`)

/** A path from the root in parentheses, such as (lib/auth/DECISIONS.md), with or without a heading. */
const PATH = /\(((?:[\w.-]+\/)+[\w.-]+)(#[\w-]+)?\)/g

const linkOf = (_all: string, path: string, heading = ''): string =>
  `([${path}](${posix.relative('functions', path)}${heading}))`
