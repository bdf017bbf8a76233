import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { atEnd } from './stops.ts'

/** Clock ticks a second in /proc (USER_HZ), which Linux fixes for user space. */
const TICKS_PER_SECOND = 100

/** A process that was started here. */
export type Running = {
  pid: number
  /** CPU time that it and its threads have used, in milliseconds, user and system: steps of 10. */
  cpuMs(): number
  /** Memory in use (RSS), in MB. */
  memoryMb(): number
  stop(): Promise<void>
}

/** A Node process with a channel to it. */
export type Script<Ready> = Running & {
  /** Its message when it was ready. */
  ready: Ready
  ask<Answer>(question: unknown): Promise<Answer>
}

/**
 * Starts a script of test/bench as a process of its own, and waits until it sends its first message.
 * @param input is given as JSON, its only argument
 */
export async function startScript<Ready>(path: string, input: unknown): Promise<Script<Ready>> {
  const child = fork(join(import.meta.dirname, '..', path), [JSON.stringify(input)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const running = runningOf(child)
  const ready = await nextMessage<Ready>(child)
  return {
    ...running,
    ready,
    ask: async (question) => {
      child.send(question as object)
      return nextMessage(child)
    },
  }
}

/**
 * Starts workerd and waits until it listens. The Workers write their logs, as in a deployment, but to
 * nowhere. BENCH_DEBUG=1 shows them.
 * @returns with the port of the socket `http`
 */
export async function startWorkerdProcess(
  binary: string,
  config: string,
): Promise<Running & { port: number }> {
  const logs = process.env.BENCH_DEBUG ? 'inherit' : 'ignore'
  const child = spawn(binary, ['serve', '--experimental', '--control-fd=3', config], {
    stdio: ['ignore', logs, logs, 'pipe'],
  })
  const running = runningOf(child)
  const port = await new Promise<number>((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`workerd ended with ${code}:\n${errorsOf(binary, config)}`))
    child.once('exit', onExit)
    eachLine(child.stdio[3] as Readable, (line) => {
      const event: { event: string; socket?: string; port?: number } = JSON.parse(line)
      if (event.event !== 'listen' || event.socket !== 'http' || !event.port) return
      child.off('exit', onExit)
      resolve(event.port)
    })
  })
  return { ...running, port }
}

/** Starts a workerd once more that ended at once. @returns what it writes of its configuration */
function errorsOf(binary: string, config: string): string {
  const args = ['serve', '--experimental', config]
  return spawnSync(binary, args, { encoding: 'utf8', timeout: 10_000 }).stderr
}

/** Sums CPU time over processes that were not started here: a server's children, say. */
export const cpuMsOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0)

/**
 * CPU milliseconds of a process's main thread, to the nanosecond: the first field of schedstat.
 * @param pid or a thread, by its path below /proc
 */
export const schedulerCpuMs = (pid: number | string): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** CPU milliseconds of a process's threads that have not ended, to the nanosecond. */
export const threadsCpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + schedulerCpuMs(`${pid}/task/${thread}`), 0)

/** A process's memory in use (RSS), in MB. */
export function memoryMbOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb ?? 0) / 1024
}

/** The processes below one, at any depth, with what each was started as. */
export function descendantsOf(pid: number): { pid: number; command: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const below = (parent: number): typeof all =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid)
}

/** Which process started one. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0

/** The fields of /proc/<pid>/stat that are used here; undefined when the process has ended. */
function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces and brackets; what follows its last bracket does not (proc_pid_stat(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const command = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    return { pid, command, parent: Number(fields[1]), cpuMs: (ticks * 1000) / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

function runningOf(child: ChildProcess): Running {
  const { pid } = child
  if (pid === undefined) throw new Error('the process did not start')
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await ended
  }
  atEnd(stop)
  return { pid, cpuMs: () => cpuMsOf([pid]), memoryMb: () => memoryMbOf(pid), stop }
}

/** The child's next message; rejects when it ends without one. */
async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process ended with ${code}`)
  })
  try {
    const [value] = await Promise.race([once(child, 'message', { signal }), ended])
    return value as T
  } finally {
    ended.catch(() => {})
    waiting.abort()
  }
}

function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
  })
}
