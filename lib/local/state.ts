import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

/** The folder that keeps the local platform's state between runs; small values are JSON files in it. */
export type StateFolder = {
  path(...names: string[]): string
  read<T>(name: string): T | undefined
  /** Replaces the file in one step, so that a crash leaves the old value or the new one. */
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
    throw new Error(`${file} can't be read; start with --fresh to begin anew`, { cause: error })
  }
}

/**
 * Opens a state folder, made if there is none; `fresh` empties it first.
 * @throws Error that names the folder and the process when another uses it and does not end
 */
export async function openState(folder: string, fresh = false): Promise<StateFolder> {
  mkdirSync(folder, { recursive: true })
  const path = (...names: string[]) => join(folder, ...names)
  const release = await lockFile(path(LOCK))
  if (fresh) {
    for (const name of readdirSync(folder))
      if (name !== LOCK) rmSync(path(name), { recursive: true, force: true })
  }
  return {
    path,
    release,
    read: (name) => readState(folder, name),
    write(name, value) {
      const file = path(`${name}.json`)
      writeFileSync(`${file}.tmp`, JSON.stringify(value), { mode: 0o600 })
      renameSync(`${file}.tmp`, file)
    },
  }
}

/** For so long a process that holds a lock may take to end: after a SIGKILL its pid lives on for a moment. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 100

// A container's processes often get the same pids at every start, so a file with our own pid may be a dead
// one's.
const held = new Set<string>()

/**
 * Takes a lock file that names this process, and one left behind by a process that is gone or ends in time.
 * Needed because two processes that open one database or chain folder corrupt it without a word.
 * @returns releases the lock
 * @throws {Error} another process, or another caller in this one, holds it
 */
export async function lockFile(path: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  for (let waitedMs = 0; !tryToCreate(path); ) {
    const owner = readOwner(path)
    if (!owner) continue
    const { pid } = owner
    if (!isHeld(path, owner)) rmSync(path, { force: true })
    else if (pid === process.pid || waitedMs >= patienceMs) throw new Error(inUse(path, pid))
    else {
      if (waitedMs === 0) console.log(`waiting for process ${pid} to end, which uses ${dirname(path)}`)
      await setTimeout(LOOK_EVERY_MS)
      waitedMs += LOOK_EVERY_MS
    }
  }
  held.add(path)
  return () => {
    if (held.delete(path)) rmSync(path, { force: true })
  }
}

const inUse = (path: string, pid: number): string =>
  `${dirname(path)} is in use by process ${pid}: end it (kill ${pid}) and start again, or set DATA_DIR to ` +
  `another folder. If process ${pid} is no AgentCred, delete ${path}`

/** Whose a lock is: a process and, since pids are given out again, when it started, where that is known. */
type Owner = { pid: number; startedAt?: number | undefined }

function tryToCreate(path: string): boolean {
  const startedAt = statOf(process.pid)?.startedAt ?? ''
  try {
    writeFileSync(path, `${process.pid} ${startedAt}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Undefined if the lock has been released meanwhile. */
function readOwner(path: string): Owner | undefined {
  try {
    const [pid = 0, startedAt] = readFileSync(path, 'utf8').trim().split(' ').map(Number)
    return { pid, startedAt }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function isHeld(path: string, { pid, startedAt }: Owner): boolean {
  if (pid === process.pid) return held.has(path)
  if (!Number.isSafeInteger(pid) || pid <= 0 || !exists(pid)) return false
  const seen = statOf(pid)
  if (!seen) return true
  // A zombie runs no more, but keeps its pid until its parent asks for it.
  return seen.state !== 'Z' && (startedAt === undefined || startedAt === seen.startedAt)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another user.
    return errorCode(error) === 'EPERM'
  }
}

/**
 * What Linux says of a process: its state, and when it started, in ticks since the machine did (proc(5),
 * stat). Undefined where it says nothing, as on other systems.
 */
function statOf(pid: number): { state: string; startedAt: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, in which there may be anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAt: Number(fields[19]) }
  } catch {
    return undefined
  }
}
