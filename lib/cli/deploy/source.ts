import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../../local/neon/migrations.ts'
import { type Release, thisRelease } from '../../local/neon/release.ts'
import { readRaw } from '../../tools/wrangler.ts'
import type { RawConfig } from './config.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** What a deployment is made of: this folder's release. Tests deploy others. */
export type Source = {
  /** wrangler.toml. */
  base: RawConfig
  release: Release
  /** The folder of the migrations. */
  migrations: string
}

export const thisSource = (): Source => ({
  base: readRaw() as RawConfig,
  release: thisRelease(hashOfSources(), commitOf(ROOT)),
  migrations: MIGRATIONS,
})

/**
 * The commit that a folder's files are of.
 * @returns undefined where one of them was changed since, or the folder is no clone
 */
function commitOf(folder: string): string | undefined {
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  const changes = git('status', '--porcelain', '--untracked-files=no')
  const head = git('rev-parse', 'HEAD')
  return changes.status === 0 && changes.stdout === '' && head.status === 0 ? head.stdout.trim() : undefined
}

/** A hash of everything that Workers are made of; the packages by the lock file. */
function hashOfSources(): string {
  const sources = ['functions', 'lib', 'schema'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,css,html,json}`, {
      cwd: ROOT,
      exclude: (name) => String(name).includes('node_modules') || String(name).endsWith('lib/cli'),
    }),
  )
  const files = ['wrangler.toml', 'package-lock.json', 'openapi.json', ...sources.toSorted()]
  return hashOf(...files.flatMap((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

export const hashOf = (...texts: string[]): string =>
  texts.reduce((hash, text) => hash.update(`\0${text}`), createHash('sha256')).digest('hex')
