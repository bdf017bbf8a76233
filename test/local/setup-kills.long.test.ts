import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs `npm run setup` in a group of its own, so that wrangler is killed with it. */
function start(cloud: Cloud, ...args: string[]) {
  const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as Record<
    string,
    string
  >
  const child = spawn('sh', ['-c', `${scripts.setup} "$@"`, 'setup', ...args], {
    cwd: ROOT,
    env: {
      ...cloud.env,
      NODE_OPTIONS: `--import ${join(ROOT, 'test/support/cloud/reroute.mjs')}`,
      REROUTE_TO: `${cloud.origin}/service`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  const ended = once(child, 'close')
  return { child, ended, output: () => output }
}

const kill = ({ pid }: ChildProcess) => pid !== undefined && process.kill(-pid, 'SIGKILL')

/** What must be the same, however often it was killed. */
const endState = ({ cloudflare, neon }: Cloud) => ({
  workers: [...cloudflare.scripts]
    .map(([name, { metadata, secrets, onWorkersDev, crons }]) => ({
      name,
      bindings: metadata.bindings
        .flatMap(({ type, name }) => (type === 'secret_text' ? [] : [`${type} ${name}`]))
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

it('ends the same when it is killed before every kind of call that it makes, and after every kind of change', async () => {
  const whole = await startCloud()
  const run = start(whole)
  await run.ended
  expect(run.output()).toContain('it is well, and a wallet has logged in')
  const expected = endState(whole)

  const cloud = await startCloud()
  const outputs: string[] = []
  /** Calls by kind and moment: each is the end of one run. */
  const killed = new Set<string>()
  let current: ReturnType<typeof start> | undefined
  onTestFinished(() => {
    if (current?.child.exitCode === null) kill(current.child)
  })
  const killAt = (moment: string) => async (call: { name: string; body: string }) => {
    // What wrangler asks is the same for every Worker: the first one that it asks it for is enough.
    const key = `${moment} ${call.name.replace(/(scripts|services|workers)\/agentcred-\w+/, '$1/<worker>')}`
    if (killed.has(key) || !current) return undefined
    killed.add(key)
    const { child, ended } = current
    current = undefined
    kill(child)
    await ended
    return new Response(null, { status: 500 })
  }
  cloud.faults.before = killAt('before')
  // After a call that only reads is before the next one.
  cloud.faults.after = (call) => (/^\w+ GET /.test(call.name) ? undefined : killAt('after')(call))
  for (let runs = 0; ; runs++) {
    current = start(cloud)
    const { ended, output } = current
    await ended
    outputs.push(output())
    if (output().includes('it is well, and a wallet has logged in')) break
    expect(output(), `run ${runs} stopped by itself`).not.toContain('setup stopped')
  }
  expect(killed.size).toBeGreaterThan(40)
  expect(endState(cloud)).toEqual(expected)
  const files = cloud.files()
  const kept = files.find(({ path }) => path.endsWith('/secrets.json'))
  const secrets = Object.values(JSON.parse(kept?.text ?? '') as Record<string, string>)
  for (const { path, text, mode } of files) {
    // wrangler's own bundles have no secret.
    if (path.startsWith(cloud.folder) && !path.includes('/.wrangler/')) expect(mode, path).toBe(0o600)
    if (path !== kept?.path) for (const secret of secrets) expect(text, path).not.toContain(secret)
  }
  for (const secret of [
    ...secrets,
    ...Object.values(cloud.env).filter((value) => value.length > 16 && !value.includes('/')),
  ])
    for (const output of outputs) expect(output).not.toContain(secret)
})
