import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

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
  return [...sourcesIn(filesBelow(root)), ...FILES].flatMap((path) =>
    longLinesOf(path, readFileSync(join(root, path), 'utf8')),
  )
}

/**
 * Returns the lines in the tree below `root` whose comment names a file that is gone, each as
 * `path:line file`.
 */
export function linesWithGoneFiles(root: string): string[] {
  const files = filesBelow(root)
  return sourcesIn(files).flatMap((path) => goneFilesOf(path, readFileSync(join(root, path), 'utf8'), files))
}

/** Returns the paths of all files in the folders of sources and migrations, and of the files beside them. */
const filesBelow = (root: string): string[] => [
  ...readdirSync(root),
  ...[...FOLDERS, 'migrations'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/\bnode_modules\b/.test(name))
      .map((name) => join(folder, name)),
  ),
]

const sourcesIn = (files: string[]): string[] =>
  files.filter(
    (path) =>
      FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
      /\.(ts|sql)$/.test(path) &&
      !/\bgenerated\b/.test(path) &&
      // Generated from the heads of schema/functions, which are checked themselves.
      path !== DECLARATIONS,
  )

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

const COMMENT = { ts: /(?:^\s*(?:\/\/|\/?\*)|\s\/\/\s)(.*)/, sql: /(?:^|\s)--\s(.*)/ }

/** A source file of this project in a text. Declaration files are of packages. */
const FILE = /(?<![\w:/.@-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|sql|mjs|md)\b/g

/**
 * Returns the lines of one file whose comment names a file that is gone. A comment names a file by its path,
 * by the end of it, or from its own folder.
 * @param files the paths of all files
 */
export function goneFilesOf(path: string, text: string, files: string[]): string[] {
  const comment = path.endsWith('.sql') ? COMMENT.sql : COMMENT.ts
  const exists = (named: string) =>
    files.some((file) => file === named || file.endsWith(`/${named}`)) ||
    files.includes(normalize(join(dirname(path), named)))
  return text
    .split('\n')
    .flatMap((line, index) =>
      (comment.exec(line)?.[1]?.match(FILE) ?? [])
        .filter((named) => !named.endsWith('.d.ts') && !exists(named))
        .map((named) => `${path}:${index + 1} ${named}`),
    )
}
