import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freePort } from '../../lib/local/loopback.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { baseUrlOf, usePlatform } from '../support/platform.ts'

const ROOT = join(import.meta.dirname, '../..')
const platform = usePlatform()

/** The commands of a text, in order. */
const commandsOf = (text: string): string =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('')

/** The walk with curl of README.md, until it has registered an agent, and then the walk of a folder. */
function walk(path: string): string {
  const [readme = '', walkText = ''] = ['README.md', path].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  )
  const [, section = ''] = readme.split('## Five minutes with curl\n')
  const [untilRegistered = '', rest] = commandsOf(section).split(/^HIRE=/m)
  expect(rest).toBeDefined()
  return untilRegistered + commandsOf(walkText)
}

/** A folder with what the commands use of the project, so that the files that they make are not in it. */
function projectFolder(): string {
  const folder = temporaryFolder()
  for (const name of ['lib', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  return folder
}

/** Runs a walk against the platform of this file, and returns what it prints. */
async function print(path: string, signal: AbortSignal): Promise<string> {
  const { env } = platform
  const ports: Record<string, unknown> = {
    8787: env.PORT,
    8899: env.SOLANA_RPC_PORT,
    3000: await freePort(),
    3001: await freePort(),
  }
  const commands = walk(path).replaceAll(/\b(?:8787|8899|300[01])\b/g, (port) => String(ports[port]))
  const script = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${commands}`
  const options = { cwd: projectFolder(), signal }
  return (await promisify(execFile)('bash', ['-e', '-c', script], options)).stdout
}

it('the walk of jobs does what it says, word for word', async ({ signal }) => {
  const stdout = await print('lib/work/walk.md', signal)
  expect(stdout.match(/"status":"landed"/g)).toHaveLength(5)
  const states = [...stdout.matchAll(/"status":"(open|accepted|funded|delivered|completed)"/g)]
  expect([...new Set(states.map(([, status]) => status))]).toEqual([
    ...['open', 'accepted', 'funded', 'delivered', 'completed'],
  ])
  expect(stdout).toContain('"input":{"text":"Good morning!"')
  expect(stdout).toContain('"delivery":{"text":"Guten Morgen!"')
  expect(stdout).toMatch(/"type":"job\.accepted".*"type":"job\.funded".*"type":"job\.delivered"/)
  expect(stdout).toMatch(/"type":"job\.ended".*"type":"job\.paid"/)
})

it('the walk of paid requests does what it says, word for word', async ({ signal }) => {
  const stdout = await print('lib/x402/walk.md', signal)
  expect(stdout).toContain("status: 'landed'")
  expect(stdout).toContain('"ready":true')
  expect(stdout).toContain('402 Payment Required')
  expect(stdout.match(/200 \{"forecast":"sunny"\}/g)).toHaveLength(5)
  const [, refused] = /^402 \{\} (\S+)$/m.exec(stdout) ?? []
  expect(JSON.parse(Buffer.from(refused ?? '', 'base64').toString())).toMatchObject({
    success: false,
    errorReason: 'payment_identifier_used',
  })
  expect(stdout).toContain('"missing":["endpoint"],"refusals":[]')
  expect(stdout).toContain('"code":"no_endpoint"')
  expect(stdout).toContain('{"x402Version":2,"resources":[]}')
  const [unrated = '', rated = ''] = stdout.split("code: 'too_little_paid'")
  expect(unrated).toMatch(/"received":\{.*"type":"payment\.settled"/)
  expect(unrated).toMatch(/"reliability":0\.1,.*"social":0\.05,/)
  expect(unrated).toContain('"reputationScore":0.05,"ratings":0')
  expect(unrated).toContain('"requests":1,"requestsPaid":250000000')
  expect(unrated).toContain(`${baseUrlOf(platform.env).replace('/v1', '')}/console/agents/`)
  expect(rated).toContain('"reputationScore":0.21,"rating":5,"ratings":1,"ratingsWeight":0.01')
  expect(rated).toMatch(/"reliability":0\.42,.*"social":0\.2,/)
})
