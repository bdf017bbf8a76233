import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The times of the last nightly run, by which test runs are ordered. */
export const RECORDED = join(import.meta.dirname, 'recorded.json')

/** The seconds that test files took in a worker, by their path from the root. */
export type Times = Record<string, number>

/** Returns a test file's path from the root. */
export const pathOf = (moduleId: string): string => relative(ROOT, moduleId).replaceAll('\\', '/')

/** Reads a file of times; one that is missing or empty has none. */
export function readTimes(path: string): Times {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text.trim() === '' ? {} : JSON.parse(text)
}

/** Adds times to a file of times. Removes the times of deleted test files. */
export function addTimes(path: string, times: Times): void {
  const all = Object.entries({ ...readTimes(path), ...times })
    .filter(([file]) => existsSync(join(ROOT, file)))
    .toSorted(([a], [b]) => a.localeCompare(b))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}
