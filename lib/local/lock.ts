import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { errorCode } from './error-code.ts'

// A container's processes often get the same pids at every start, so a file with our own pid may be a dead
// one's.
const held = new Set<string>()

/**
 * Takes a lock file that holds this process's pid, and one left behind by a process that is gone. Needed
 * because two processes that open one database or chain folder corrupt it without a word.
 * @returns releases the lock
 * @throws {Error} another process, or another caller in this one, holds it
 */
export function lockFile(path: string): () => void {
  if (!tryToCreate(path)) {
    const owner = Number(readFileSync(path, 'utf8'))
    if (isHeld(path, owner)) {
      throw new Error(
        `${path} is in use by process ${owner}: stop that process first, or delete the file if it is no AgentCred`,
      )
    }
    rmSync(path, { force: true })
    if (!tryToCreate(path)) throw new Error(`Another process has just taken ${path}`)
  }
  held.add(path)
  return () => {
    if (held.delete(path)) rmSync(path, { force: true })
  }
}

function tryToCreate(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function isHeld(path: string, owner: number): boolean {
  if (owner === process.pid) return held.has(path)
  if (!Number.isSafeInteger(owner) || owner <= 0) return false
  try {
    process.kill(owner, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another user.
    return errorCode(error) === 'EPERM'
  }
}
