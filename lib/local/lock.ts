import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from '../tools/error-code.ts'

/** How long to wait for the end of a process with a lock: after a SIGKILL its pid lives on for a moment. */
const PATIENCE_MS = 10_000
const POLL_MS = 100

// A container's processes often get the same pids at every start, so a file with our own pid may be a dead
// one's.
const held = new Set<string>()

/**
 * Takes a lock file that names this process. Replaces the lock of a process that has ended, or ends in time.
 * Two processes that open one database or chain folder would corrupt it silently.
 * @param inUse makes the message for a lock that another process holds
 * @returns a function that releases the lock
 * @throws {Error} another process, or another caller in this one, holds it
 */
export async function lockFile(
  path: string,
  { patienceMs = PATIENCE_MS, inUse = stateInUse } = {},
): Promise<() => void> {
  for (let waitedMs = 0; !tryToCreate(path); ) {
    const owner = readOwner(path)
    if (!owner) continue
    const { pid } = owner
    if (!isHeld(path, owner)) remove(path, owner)
    else if (pid === process.pid || waitedMs >= patienceMs) throw new Error(inUse(path, pid))
    else {
      if (waitedMs === 0) console.log(`waiting until process ${pid}, which uses ${dirname(path)}, ends`)
      await setTimeout(POLL_MS)
      waitedMs += POLL_MS
    }
  }
  held.add(path)
  return () => {
    if (held.delete(path)) rmSync(path, { force: true })
  }
}

const stateInUse = (path: string, pid: number): string =>
  `${dirname(path)} is in use by process ${pid}: end it (kill ${pid}) and start again, or set DATA_DIR to ` +
  `another folder. If process ${pid} is not AgentCred, delete ${path}`

/**
 * Removes a dead process's lock, but not a lock that another process has taken meanwhile. A second lock lets
 * one process do so at a time: otherwise another could take the lock between the check and the removal.
 */
function remove(path: string, dead: Owner): void {
  const removal = `${path}.removal`
  if (tryToCreate(removal)) {
    if (readOwner(path)?.text === dead.text) rmSync(path)
    rmSync(removal)
    return
  }
  const other = readOwner(removal)
  if (other && !isHeld(removal, other)) rmSync(removal, { force: true })
}

/** The owner of a lock: a process and, since pids are reused, its start time, if known. */
type Owner = { text: string; pid: number; startedAt?: number | undefined }

/** Creates the lock in one step, so that nobody reads an unwritten lock. */
function tryToCreate(path: string): boolean {
  const aside = asideOf(path)
  writeFileSync(aside, `${process.pid} ${statOf(process.pid)?.startedAt ?? ''}`, { mode: 0o600 })
  try {
    linkSync(aside, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(aside)
  }
}

/** Returns a path next to the lock that no other process uses. */
const asideOf = (path: string) => `${path}.${process.pid}`

/** Reads the owner; undefined if the lock has been released meanwhile. */
function readOwner(path: string): Owner | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    const [pid = 0, startedAt] = text.trim().split(' ').map(Number)
    return { text, pid, startedAt }
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
  // A zombie does not run, but has its pid until its parent reaps it.
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
 * Reads a process's state, and its start time in ticks since boot, from Linux (proc(5), stat). Undefined on
 * other systems.
 */
function statOf(pid: number): { state: string; startedAt: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAt: Number(fields[19]) }
  } catch {
    return undefined
  }
}
