import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WorkerConfig } from '../tools/wrangler.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A Worker of wrangler.toml and its script for the local workerd. */
export type BuiltWorker = WorkerConfig & { script: string }

/** A cached build: the hash of its sources, and its Workers. */
export type Build = { key: string; workers: BuiltWorker[] }

/**
 * Returns every Worker of wrangler.toml, bundled, in the file's order. With `allowLocalWebhooks` they send
 * webhooks to this machine, too. Also writes the root Worker's assets and the console. The build is cached
 * until a source changes.
 * @param options.say called when a build begins, which takes a while
 * @throws Error with the compiler's message
 */
export async function buildWorkers({
  allowLocalWebhooks = false,
  say = (_doing: string) => {},
} = {}): Promise<BuiltWorker[]> {
  const file = join(BUILT_FOLDER, allowLocalWebhooks ? 'local-webhooks.json' : 'workers.json')
  const key = keyOfSources()
  const cached = readBuild(file)
  // Both builds share the files, so the other one may have written those of other sources.
  if (cached?.key === key && filesKey() === key) return cached.workers
  say('building the Workers and the console, which is kept until a source changes')
  // In a separate process: wrangler and the compiler take 400 MB, and seconds to load.
  await runTool('build-process.ts', file, key, String(allowLocalWebhooks))
  const built = readBuild(file)
  if (built === undefined) throw new Error(`nothing was built in ${file}`)
  return built.workers
}

/** Returns the hash of the sources that the assets and the console were built from. */
export const filesKey = (): string | undefined =>
  existsSync(FILES_KEY) ? readFileSync(FILES_KEY, 'utf8') : undefined

const readBuild = (file: string): Build | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

/** Returns a hash of all sources of a build; the lock file represents the packages. */
function keyOfSources(): string {
  const sources = ['functions', 'lib', 'schema'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,js,css,html,json}`, { cwd: ROOT, exclude: ['**/node_modules'] }),
  )
  const hash = createHash('sha256').update(ROOT)
  for (const path of ['wrangler.toml', 'package-lock.json', 'openapi.json', ...sources.sort()]) {
    hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)))
  }
  return hash.digest('hex')
}

/** The folder of the cached builds. */
export const BUILT_FOLDER = join(import.meta.dirname, '../../dist/local')

/** The file of the hash of the sources that assets and console were built from. */
export const FILES_KEY = join(BUILT_FOLDER, 'files.key')

/** The folder of the root Worker's assets. */
export const ASSETS_FOLDER = join(BUILT_FOLDER, 'assets')

/**
 * Runs a module of this folder in a separate process, so that its memory is free afterwards.
 * @throws Error with its output on stderr
 */
export async function runTool(name: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [
    ...['--import', join(import.meta.dirname, '../cli/loading.ts')],
    ...[join(import.meta.dirname, name), ...args],
  ])
}
