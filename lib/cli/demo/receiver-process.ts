import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The webhook receiver (`npm run receiver`), running as a child process. */
export type ReceiverProcess = {
  /** Where it listens. */
  url: string
  /** The events that it has verified, oldest first. */
  received: { id: string; type: string; data: Record<string, unknown> }[]
  /** The ids of events that arrived again. */
  repeated: string[]
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts the receiver, which ends when this process ends, at the latest.
 * @param keysUrl the URL of GET /events/keys
 * @throws Error when it ends before it listens; it has printed the reason on stderr
 */
export async function startReceiver(keysUrl: string): Promise<ReceiverProcess> {
  // The platform may have travelled in time, and the receiver has not.
  const args = [join(import.meta.dirname, '../receiver.ts'), '--keys', keysUrl, '--any-time']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  const onSignal = () => process.exit(1)
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const ended = once(child, 'close').then(() => {
    process.off('exit', kill).off('SIGINT', onSignal).off('SIGTERM', onSignal)
  })
  const heard: Pick<ReceiverProcess, 'received' | 'repeated'> = { received: [], repeated: [] }
  return {
    url: await listening(child, ended, heard),
    ...heard,
    stop() {
      kill()
      return ended
    },
  }
}

/** Reads the receiver's output, line by line, and resolves with its URL, which the first line has. */
function listening(
  { stdout }: ChildProcess,
  ended: Promise<void>,
  { received, repeated }: Pick<ReceiverProcess, 'received' | 'repeated'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    ended.then(() => reject(new Error('the receiver has ended')), reject)
    if (!stdout) return
    createInterface(stdout).on('line', (text) => {
      const line = JSON.parse(text)
      if ('listening' in line) resolve(line.listening)
      if ('received' in line) received.push(line.received)
      if ('repeated' in line) repeated.push(line.repeated)
    })
  })
}
