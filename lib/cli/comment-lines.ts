import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The longest line of code (biome.json, lineWidth). Biome does not apply it to comments. */
const MAX_LENGTH = 110

const FOLDERS = ['functions', 'lib', 'schema', 'test']
const FILES = ['drizzle.config.ts', 'vitest.config.ts', 'wrangler.toml', '.ci/run']

/** The declarations of Postgres functions. */
const DECLARATIONS = 'lib/db/functions.ts'

const COMMENT_IN_TYPESCRIPT = /^\s*(\/\/|\/?\*)|\s\/\/\s/
/** A list in the head of a Postgres function is one line, of any length. */
const COMMENT_IN_SQL = /^\s*-- (?!(outcome|optional|nullable|due): )/
const COMMENT_IN_TOML_OR_SHELL = /(^|\s)#/

/**
 * Returns the too long lines with a comment in the tree below `root`, each as `path:line (length)`.
 */
export function longCommentLines(root: string): string[] {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql)$/.test(name) && !/\b(node_modules|generated)\b/.test(name))
      .map((name) => join(folder, name))
      // Generated from the heads of schema/functions, which are checked themselves.
      .filter((path) => path !== DECLARATIONS),
  )
  return [...sources, ...FILES].flatMap((path) => longLinesOf(path, readFileSync(join(root, path), 'utf8')))
}

/** Returns the too long lines of one file, by its path and text. */
export function longLinesOf(path: string, text: string): string[] {
  const comment = path.endsWith('.ts')
    ? COMMENT_IN_TYPESCRIPT
    : path.endsWith('.sql')
      ? COMMENT_IN_SQL
      : COMMENT_IN_TOML_OR_SHELL
  return text
    .split('\n')
    .map((line, index) => ({ line, place: `${path}:${index + 1} (${line.length})` }))
    .filter(({ line }) => line.length > MAX_LENGTH && comment.test(line))
    .map(({ place }) => place)
}
