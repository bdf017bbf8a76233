import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

/** For so long a process that holds a lock may take to end: after a SIGKILL its pid lives on for a moment. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 100

// A container's processes often get the same pids at every start, so a file with our own pid may be a dead
// one's.
const held = new Set<string>()

/**
 * Takes a lock file that names this process, and one left behind by a process that is gone or ends in time.
 * Needed because two processes that open one database or chain folder corrupt it without a word.
 * @param inUse says what to do while another process holds it
 * @returns releases the lock
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

const stateInUse = (path: string, pid: number): string =>
  `${dirname(path)} is in use by process ${pid}: end it (kill ${pid}) and start again, or set DATA_DIR to ` +
  `another folder. If process ${pid} is no AgentCred, delete ${path}`

/**
 * Removes a dead process's lock, and leaves the one that another process may have taken meanwhile. One
 * process does so at a time, by a lock of its own: between a look and a removal another one could take the
 * place.
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

/** Whose a lock is: a process and, since pids are given out again, when it started, where that is known. */
type Owner = { text: string; pid: number; startedAt?: number | undefined }

/** In one step: nobody reads a lock that is not written yet. */
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

/** A name beside the lock that no other process uses. */
const asideOf = (path: string) => `${path}.${process.pid}`

/** Undefined if the lock has been released meanwhile. */
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
