import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A semver version, without build metadata. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9a-z.-]+))?$/

/** The file with the version and the schema of the functions, which Workers and scripts read. */
const RELEASE = 'schema/release.ts'

const MANIFESTS = ['package.json', 'lib/client/package.json', 'lib/react/package.json']
const LOCK = 'package-lock.json'
export const FILES_WITH_VERSION = [RELEASE, ...MANIFESTS, LOCK]

export const isVersion = (text: string): boolean => VERSION.test(text)

/** Returns whether a version may follow another: it is later, or the same, which was not released. */
export function isAtLeast(version: string, earlier: string): boolean {
  const [a, b] = [version, earlier].map((one) => VERSION.exec(one)?.slice(1, 4).map(Number) ?? [])
  const index = a?.findIndex((part, i) => part !== b?.[i]) ?? -1
  // Previews come before their version. Their order among each other is unknown.
  if (index === -1) return !version.includes('-') || earlier.includes('-')
  return (a?.[index] ?? 0) > (b?.[index] ?? 0)
}

/** Returns the version of a working copy. */
export const versionOf = (root: string): string => JSON.parse(read(root, 'package.json')).version

/** Writes the version to every file that has it. */
export function writeVersion(root: string, version: string): void {
  change(root, RELEASE, /(?<=export const VERSION = ')[^']+/, version)
  for (const file of MANIFESTS) change(root, file, /(?<=^ {2}"version": ")[^"]+/m, version)
  const lock = JSON.parse(read(root, LOCK))
  lock.version = version
  for (const name of ['', 'lib/client', 'lib/react']) lock.packages[name].version = version
  writeFileSync(join(root, LOCK), `${JSON.stringify(lock, null, 2)}\n`)
}

/** Returns the next release's schema of functions. */
export function nextApiSchema(root: string): string {
  const [, number] = /export const API_SCHEMA = 'api_(\d+)'/.exec(read(root, RELEASE)) ?? []
  if (number === undefined) throw new Error(`${RELEASE} names no API_SCHEMA`)
  return `api_${Number(number) + 1}`
}

export const writeApiSchema = (root: string, schema: string): void =>
  change(root, RELEASE, /(?<=export const API_SCHEMA = ')[^']+/, schema)

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')

function change(root: string, file: string, pattern: RegExp, text: string): void {
  const before = read(root, file)
  if (!pattern.test(before)) throw new Error(`${file} does not contain ${text}`)
  writeFileSync(join(root, file), before.replace(pattern, text))
}
