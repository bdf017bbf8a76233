import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The webhook receiver (`npm run receiver`), running as a child process. */
export type ReceiverProcess = {
  /** The URL on which it listens. */
  url: string
  /** The events that it has verified, oldest first. */
  received: { id: string; type: string; data: Record<string, unknown> }[]
  /** The ids of events that arrived again. */
  repeated: string[]
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts the receiver, which ends with this process at the latest.
 * @param by how it verifies: the URL of GET /events/keys, or the secret of a webhook endpoint with the port
 *   of the endpoint's URL
 * @throws Error if it exits before it listens; its reason is on stderr
 */
export async function startReceiver(
  by: { keysUrl: string } | { secret: string; port: string },
): Promise<ReceiverProcess> {
  // The platform's clock may be ahead of the receiver's.
  const args = [join(import.meta.dirname, '../receiver.ts'), '--any-time']
  const options = 'secret' in by ? ['--port', by.port] : ['--keys', by.keysUrl]
  const env = { ...process.env, WEBHOOK_SECRETS: 'secret' in by ? by.secret : '' }
  const child = spawn(process.execPath, [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'], env })
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

/** Reads the receiver's output by lines, and resolves with the URL in the first one. */
function listening(
  { stdout }: ChildProcess,
  ended: Promise<void>,
  { received, repeated }: Pick<ReceiverProcess, 'received' | 'repeated'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    ended.then(() => reject(new Error('the receiver process has ended')), reject)
    if (!stdout) return
    createInterface(stdout).on('line', (text) => {
      const line = JSON.parse(text)
      if ('listening' in line) resolve(line.listening)
      if ('received' in line) received.push(line.received)
      if ('repeated' in line) repeated.push(line.repeated)
    })
  })
}
