import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A script of the project running as a process of its own. */
export type Script = {
  child: ChildProcess
  /** Its output so far, on both streams. */
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
 * @param root a folder that has a copy of the project, to run it there
 */
export function runScript(
  name: string,
  args: string[] = [],
  env: Record<string, string> = {},
  root = ROOT,
): Script {
  const [command, ...words] =
    name === 'dev' ? ['npm', 'run', '--silent', name, '--'] : ['sh', '-c', `${scripts[name]} "$@"`, name]
  const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command ?? '', [...words, ...args], {
    cwd: root,
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
        const check = () => output.includes(text) && resolve()
        check()
        child.stdout.on('data', check)
        child.stderr.on('data', check)
        ended.then(() => reject(new Error(`ended without "${text}":\n${output}`)))
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** What the platform prints last. */
export const READY = 'rate limits'

/** Returns the ports that a platform has printed. */
export function portsOf(platform: Pick<Script, 'output'>) {
  const portAt = (label: RegExp) =>
    new RegExp(`${label.source} +http://(?:localhost|127\\.0\\.0\\.1):(\\d+)`).exec(platform.output())?.[1] ??
    ''
  return {
    PORT: portAt(/AgentCred is ready:/),
    NEON_PORT: portAt(/SQL \(HTTP\)/),
    SOLANA_RPC_PORT: portAt(/Solana RPC/),
    INBOX_PORT: portAt(/inbox/),
  }
}

/** A port that the system gives nobody, so that nothing listens there: connections are refused. */
export const CLOSED_PORT = 2
