import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { serveOnLoopback } from '../../lib/local/loopback.ts'
import { startCloud } from '../support/cloud/cloud.ts'
import { devnetNode } from '../support/cloud/node.ts'
import { sourceOf } from '../support/cloud/releases.ts'
import { deployFirst, reroute } from '../support/cloud/upgrades.ts'

/* Commands of the runbooks that are no script of package.json: those are run by tests of their own. */

const ROOT = join(import.meta.dirname, '../..')
const runbooks = readFileSync(join(ROOT, 'functions/runbooks.md'), 'utf8')

/** Runs a line as an operator would, in the repository. @returns what it printed */
async function shell(line: string, env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('sh', ['-e', '-c', line], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, WRANGLER_SEND_METRICS: 'false', ...env },
  })
  return stdout + stderr
}

it('wrangler takes every command that the runbooks have of it', async () => {
  const cloud = await startCloud()
  reroute(() => cloud)
  await deployFirst(cloud, sourceOf('1.0.0'))
  const queue = { queue_id: 'a'.repeat(32), queue_name: 'agentcred-deliveries', consumers: [], backlog: 7 }
  cloud.cloudflare.queues.set(queue.queue_name, queue)
  const [version] = cloud.cloudflare.scripts.get('agentcred-root')?.versions ?? []
  const commands = [...runbooks.matchAll(/`(npx wrangler [^`]*)`/g)].map(([, command = '']) => command)
  expect(commands.length).toBeGreaterThan(0)
  for (const command of commands) {
    const line = command.replaceAll('<Worker>', 'agentcred-root').replaceAll('<id>', version?.id ?? '')
    expect(line).not.toMatch(/[<>]/)
    await shell(line, { ...cloud.env })
  }
  expect(queue.backlog).toBe(0)
})

it('asks node and service as the runbooks say, without the node’s key in a command', async () => {
  const [node = ''] = /printf 'url[^`]*/.exec(runbooks) ?? []
  const { SOLANA_RPC_URL } = await devnetNode()
  expect(JSON.parse(await shell(node, { SOLANA_RPC_URL }))).toMatchObject({ jsonrpc: '2.0', id: 1 })
  const [health = ''] = /curl -s '[^`]*deep=1'/.exec(runbooks) ?? []
  const answer = async ({ url }: Request) => new Response(new URL(url).pathname + new URL(url).search)
  const { origin, close } = await serveOnLoopback('A service', answer, 0)
  onTestFinished(close)
  expect(await shell(health.replace('https://<host>', origin), {})).toBe('/v1/health?deep=1')
})
