import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../tools/error-code.ts'
import { lockFile } from './lock.ts'

/** The folder that keeps the local platform's state between runs; small values are JSON files in it. */
export type StateFolder = {
  path(...names: string[]): string
  read<T>(name: string): T | undefined
  write(name: string, value: unknown): void
  /** Releases the folder for other processes. */
  release(): void
}

const LOCK = 'lock'

/** Reads one value of a state folder, which another process may have open. */
export function readState<T>(folder: string, name: string): T | undefined {
  const file = join(folder, `${name}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new Error(`${file} can't be read: start with --fresh to begin again`, { cause: error })
  }
}

/**
 * Writes one value of a state folder that this process has open. Replaces the file in one step, so that a
 * crash leaves the old value or the new one.
 */
export function writeState(folder: string, name: string, value: unknown): void {
  const file = join(folder, `${name}.json`)
  writeFileSync(`${file}.tmp`, JSON.stringify(value), { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}

/**
 * Opens or makes a state folder. `fresh` empties it first, except the values in `preserved`.
 * @throws Error that names the folder and the process, if another process uses it and does not end
 */
export async function openState(
  folder: string,
  { fresh = false, preserved = [] as string[] } = {},
): Promise<StateFolder> {
  mkdirSync(folder, { recursive: true })
  const path = (...names: string[]) => join(folder, ...names)
  const release = await lockFile(path(LOCK))
  if (fresh) {
    const staying = [LOCK, ...preserved.map((name) => `${name}.json`)]
    for (const name of readdirSync(folder))
      if (!staying.includes(name)) rmSync(path(name), { recursive: true, force: true })
  }
  return {
    path,
    release,
    read: (name) => readState(folder, name),
    write: (name, value) => writeState(folder, name, value),
  }
}
