import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MIGRATIONS } from '../../local/neon/migrations.ts'
import { type Release, thisRelease } from '../../local/neon/release.ts'
import { readRaw } from '../../tools/wrangler.ts'
import type { RawConfig } from './config.ts'

/** The folder of this code. */
export const ROOT = join(import.meta.dirname, '../../..')

/** What a deployment is made of: this folder's release. Tests deploy others. */
export type Source = {
  /** The folder that its code is in: paths of wrangler.toml are relative to it. */
  root: string
  /** wrangler.toml. */
  base: RawConfig
  release: Release
  /** The folder of the migrations. */
  migrations: string
}

export const thisSource = (): Source => sourceIn(ROOT, thisRelease(hashOfSources(ROOT), commitOf(ROOT)))

/** Reads the code of a release in a folder. */
export const sourceIn = (root: string, release: Release): Source => ({
  root,
  base: readRaw(join(root, 'wrangler.toml')) as RawConfig,
  release,
  migrations: join(root, relative(ROOT, MIGRATIONS)),
})

/**
 * The commit that a folder's files are of.
 * @returns undefined where one was changed or added since, or the folder is no clone
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

/** A hash of everything that Workers are made of; the packages by the lock file. */
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
