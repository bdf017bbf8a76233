import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { delimiter, join } from 'node:path'

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

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

/**
 * Runs one of package.json's scripts as npm does, with these variables added to the environment; `dev`, whose
 * signals npm passes on, through npm itself.
 */
export function runScript(name: string, args: string[] = [], env: Record<string, string> = {}): Script {
  const [command, ...words] =
    name === 'dev' ? ['npm', 'run', '--silent', name, '--'] : ['sh', '-c', `${scripts[name]} "$@"`, name]
  const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command ?? '', [...words, ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH, ...env },
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

/*
 * Ports for servers that are started a moment later must not be taken in between. So they are of a range that
 * no system gives to connections or to who listens at port 0, with a part for each of vitest's workers, and
 * none is given out twice.
 */
const FIRST_PORT = 20_000
const PORTS_PER_WORKER = 3_000
const part = FIRST_PORT + PORTS_PER_WORKER * (Number(process.env.VITEST_POOL_ID ?? 1) % 4)
/** Begins anywhere: another test run may be at work on this machine. */
let given = Math.floor(Math.random() * PORTS_PER_WORKER)

/** As many as one asks for in a row, at most. */
const MOST_PORTS = 8

/** A free loopback port. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0

/** So many free loopback ports in a row. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    // The same for any count: else ports that were given last would be given again when it begins anew.
    const first = part + (given % (PORTS_PER_WORKER - MOST_PORTS))
    given += count
    const ports = Array.from({ length: count }, (_, i) => first + i)
    const servers: Server[] = []
    try {
      for (const port of ports) await listen(port, servers)
      return ports
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    } finally {
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
    }
  }
}

async function listen(port: number, servers: Server[]): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
}
