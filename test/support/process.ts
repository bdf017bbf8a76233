import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A script of the project running as a process of its own. */
export type Script = {
  child: ChildProcess
  /** What it has printed so far, on both streams. */
  output(): string
  /** Resolves when the text has been printed; rejects with the output when the process ends first. */
  printed(text: string): Promise<void>
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
  /** Asks it to end as a service manager would, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Runs one of package.json's scripts as a person would, with these variables added to the environment. */
export function runScript(name: string, args: string[] = [], env: Record<string, string> = {}): Script {
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    output += data
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    output: () => output,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        look()
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        ended.then(() => reject(new Error(`ended without "${text}":\n${output}`)))
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** A loopback port that was free a moment ago. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0

/** The first of `count` loopback ports in a row that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const servers: Server[] = []
    try {
      const first = await listen(0, servers)
      const ports = [first]
      for (let next = 1; next < count; next++) ports.push(await listen(first + next, servers))
      return ports
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    } finally {
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
    }
  }
}

async function listen(port: number, servers: Server[]): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
