import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MIGRATIONS } from '../../migrations/migrations.ts'
import { type Release, thisRelease } from '../../migrations/release.ts'
import { readRaw } from '../../tools/wrangler.ts'
import type { RawConfig } from './config.ts'

/** The folder of this code. */
export const ROOT = join(import.meta.dirname, '../../..')

/** The code that a deployment is made of. Commands use this folder's; tests deploy others. */
export type Source = {
  /** The folder of the code. Paths in wrangler.toml are relative to it. */
  root: string
  /** wrangler.toml. */
  base: RawConfig
  release: Release
  /** The folder of the migrations. */
  migrations: string
}

export const thisSource = (): Source => sourceIn(ROOT, thisRelease(hashOfSources(ROOT), commitOf(ROOT)))

/** Returns the code of a release in a folder. */
export const sourceIn = (root: string, release: Release): Source => ({
  root,
  base: readRaw(join(root, 'wrangler.toml')) as RawConfig,
  release,
  migrations: join(root, relative(ROOT, MIGRATIONS)),
})

/**
 * Returns the commit that a folder's files are at.
 * @returns undefined if a tracked file has changed since, or if the folder is not a clone
 */
export function commitOf(folder: string): string | undefined {
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  const changes = git('status', '--porcelain', '--untracked-files=no')
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...SOURCES, 'migrations')
  const head = git('rev-parse', 'HEAD')
  const isClean = [changes, added].every(({ status, stdout }) => status === 0 && stdout === '')
  return isClean && head.status === 0 ? head.stdout.trim() : undefined
}

const SOURCES = ['functions', 'lib', 'schema']

/** Returns a hash of all sources of the Workers; the lock file represents the packages. */
export function hashOfSources(root: string): string {
  const sources = SOURCES.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,css,html,json}`, {
      cwd: root,
      exclude: (name) => String(name).includes('node_modules') || String(name).endsWith('lib/cli'),
    }),
  )
  const files = ['wrangler.toml', 'package-lock.json', 'openapi.json', ...sources.toSorted()]
  return hashOf(...files.flatMap((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

export const hashOf = (...texts: string[]): string =>
  texts.reduce((hash, text) => hash.update(`\0${text}`), createHash('sha256')).digest('hex')
