import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Call, type Cloud, startCloud } from './cloud.ts'

const ROOT = join(import.meta.dirname, '../../..')
const support = (name: string) => `--import ${new URL(name, import.meta.url)}`

/** The arguments of node, and modules that are loaded first. It begins at the first line on stdin. */
type Script = {
  name: string
  args: string[]
  loaded: string[]
  /** The end of its output. */
  done: string
}

export const DONE = 'the service is healthy, and a wallet has logged in'

/** Returns a command of package.json, without `node`. */
const argsOf = (name: string): string[] =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    .scripts[name].split(' ')
    .slice(1)

const SETUP: Script = { name: 'setup', done: DONE, args: argsOf('setup'), loaded: ['wait.ts'] }

export const DESTROY: Script = {
  name: 'destroy',
  done: 'The deployment agentcred is removed.',
  args: [...argsOf('destroy'), '--yes', 'agentcred'],
  loaded: ['wait.ts'],
}

/** Returns a command that deploys stub Workers: the engine is tested, not the bundles. */
const stub = (name: string, done: string, ...args: string[]): Script => ({
  ...{ name, done, loaded: [] },
  args: ['--import', './lib/cli/loading.ts', 'test/support/cloud/stub-command.ts', name, ...args],
})

export const STUB_SETUP = stub('setup', DONE)
export const UPGRADE = stub('upgrade', 'Release 1.1.0 runs.')
export const ROLLBACK = stub('upgrade', 'Release 1.0.0 runs again.', '--rollback')
export const STUB_ROTATE = stub('rotate', 'left   the older key')

/** One run of a command in a group of its own, so that wrangler is killed with it. */
type Run = { child: ChildProcess; begin: () => void; ended: Promise<unknown>; output: () => string }

function load(cloud: Cloud, { args, loaded }: Script): Run {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...cloud.env,
      NODE_OPTIONS: ['reroute.mjs', ...loaded].map(support).join(' '),
      REROUTE_TO: `${cloud.origin}/service`,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  // It may be killed before it reads.
  child.stdin.on('error', () => {})
  return { child, begin: () => child.stdin.end('\n'), ended: once(child, 'close'), output: () => output }
}

/** Kills a run and what it has started, and waits until they are gone. */
async function kill({ child, ended }: Run): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGKILL')
  await ended
}

/** Runs setups of a cloud, or another command, one after the other, the next one loaded while one runs. */
export function setupsOf(cloud: Cloud, script = SETUP) {
  let next = load(cloud, script)
  let current: Run | undefined
  const outputs: string[] = []
  /** Command lines and environments of all that ran, such as wrangler's. */
  const seen = new Set<string>()
  onTestFinished(async () => {
    for (const one of [next, current]) if (one) await kill(one)
  })
  const begin = (): Run => {
    current = next
    next = load(cloud, script)
    current.begin()
    return current
  }
  return {
    script,
    outputs,
    seen,
    begin,
    /** Runs a setup to its end. @returns its output */
    async run(): Promise<string> {
      const one = begin()
      await one.ended
      outputs.push(one.output())
      return one.output()
    },
    /** Records the command lines and environments of the current run's processes. */
    look() {
      if (current) for (const text of processesOf(Number(current.child.pid))) seen.add(text)
    },
    /** Kills the current run. @returns an answer that nobody receives */
    async kill(): Promise<Response> {
      const one = current
      current = undefined
      if (one) await kill(one)
      return new Response(null, { status: 500 })
    },
    isRunning: () => current !== undefined,
  }
}

/** The command lines of a group's processes, and the environments of all but the first. */
function processesOf(group: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        if (Number(fields[2]) !== group) return []
        const own = readFileSync(`/proc/${group}/cmdline`, 'utf8')
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        // A child has its parent's command line and environment until it has its own.
        return command === own ? [own] : [`${command}\n${readFileSync(`/proc/${pid}/environ`, 'utf8')}`]
      } catch {
        return []
      }
    })
}

/** An account without a name below workers.dev, so that it is made, too. */
export async function newCloud(): Promise<Cloud> {
  const cloud = await startCloud()
  cloud.cloudflare.subdomain = undefined
  return cloud
}

/** Whether wrangler made a call, not the setup. */
export const isWranglers = ({ name }: Call) =>
  /\/workers\/(scripts|services|workers|assets)\/|\/consumers/.test(name)

/** What must be the same, however often a setup was killed. */
export const endState = ({ cloudflare, neon }: Cloud) => ({
  workers: [...cloudflare.scripts]
    .map(([name, { metadata, secrets, onWorkersDev, crons }]) => ({
      name,
      bindings: metadata.bindings
        .flatMap(({ type, name }) =>
          type === 'secret_text' || type === 'inherit' ? [] : [`${type} ${name}`],
        )
        .toSorted(),
      secrets: Object.keys(secrets).toSorted(),
      onWorkersDev,
      crons,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name)),
  queues: [...cloudflare.queues.values()]
    .map(({ queue_name, consumers }) => [queue_name, consumers.length])
    .toSorted(),
  made: { ...cloudflare.made, projects: neon.made },
})

/**
 * Runs setups until one ends well, each killed at one call more: before every call, and after every call that
 * changes something.
 * @param keyOf calls of the same key are the same: one of them is enough; undefined: the call is left alone
 * @param isOver ends it before a call
 * @param between goes on before the next run
 * @returns how many were killed
 */
export async function killAtEveryCall(
  cloud: Cloud,
  setups: ReturnType<typeof setupsOf>,
  keyOf: (call: Call) => string | undefined,
  isOver: (call: Call) => boolean = () => false,
  between: () => Promise<void> = async () => {},
): Promise<number> {
  const killed = new Set<string>()
  let isStopped = false
  let isBetween = false
  const killAt = (moment: string) => async (call: Call) => {
    if (isBetween) return undefined
    if (isOver(call)) isStopped = true
    else {
      setups.look()
      const key = keyOf(call)
      if (key === undefined || killed.has(`${moment} ${key}`)) return undefined
      killed.add(`${moment} ${key}`)
    }
    return setups.isRunning() ? setups.kill() : undefined
  }
  cloud.faults.before = killAt('before')
  cloud.faults.after = (call) => (isRead(call) ? undefined : killAt('after')(call))
  for (let runs = 0; !isStopped; runs++) {
    const output = await setups.run()
    if (output.includes(setups.script.done)) break
    expect(output, `run ${runs} stopped by itself`).not.toContain(`${setups.script.name} stopped`)
    isBetween = true
    await between()
    isBetween = false
  }
  cloud.faults.before = cloud.faults.after = () => undefined
  return killed.size
}

/** Makes the key of a call: the same call is another one where a run makes it a second time. */
export function keyOfEach(runs: ReturnType<typeof setupsOf>): (call: Call) => string {
  let run = 0
  let seen: string[] = []
  return ({ name }) => {
    if (run !== runs.outputs.length) seen = []
    run = runs.outputs.length
    seen.push(name)
    return `${name} ${seen.filter((one) => one === name).length}`
  }
}

/** Whether a call only reads: a run that is killed after it is killed before the next one. */
export const isRead = ({ name }: Call): boolean => /^\w+ GET /.test(name)

/** Asserts that secrets are in no file except the one that the summary names, no output, no command line. */
export function expectNoSecrets(cloud: Cloud, { outputs, seen }: ReturnType<typeof setupsOf>): void {
  const files = cloud.files()
  const kept = files.find(({ path }) => path.endsWith('/secrets.json'))
  const secrets = Object.values(JSON.parse(kept?.text ?? '') as Record<string, string>)
  expect(secrets.length).toBeGreaterThan(7)
  const { CLOUDFLARE_API_TOKEN = '', NEON_API_KEY = '' } = cloud.env
  for (const { path, text, mode } of files) {
    // wrangler's own bundles have no secret.
    if (path.startsWith(cloud.folder) && !path.includes('/.wrangler/')) expect(mode, path).toBe(0o600)
    // A setup that was killed leaves a Worker's secrets that were going up; the next one takes them away.
    const isKilled = !outputs.at(-1)?.includes(DONE)
    if (path === kept?.path || (isKilled && path.endsWith('/upload.json'))) continue
    for (const secret of [...secrets, CLOUDFLARE_API_TOKEN, NEON_API_KEY])
      expect(text.includes(secret), path).toBe(false)
  }
  for (const secret of [...secrets, CLOUDFLARE_API_TOKEN, NEON_API_KEY])
    for (const output of outputs) expect(output).not.toContain(secret)
  // wrangler gets Cloudflare's token, in its environment.
  for (const secret of [...secrets, NEON_API_KEY])
    for (const text of seen) expect(text.includes(secret), text.split('\n', 1)[0]).toBe(false)
  for (const text of seen) expect(text.split('\n', 1)[0]).not.toContain(CLOUDFLARE_API_TOKEN)
}
