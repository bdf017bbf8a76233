import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { SCOPES, TOKEN } from '../support/cloud/cloudflare.ts'
import { NEON_KEY } from '../support/cloud/neon.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs shell lines as an operator would, in the repository. */
async function shell(cloud: Cloud, lines: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('sh', ['-e', '-c', lines], {
    cwd: ROOT,
    env: {
      ...cloud.env,
      NODE_OPTIONS: `--import ${new URL('../support/cloud/reroute.mjs', import.meta.url)}`,
      REROUTE_TO: `${cloud.origin}/service`,
      ...env,
    },
  })
  return stdout + stderr
}

it('makes, moves and removes a deployment by the commands of README’s “Deploy”', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, section = ''] = /^## Deploy\n([\s\S]*?)^## /m.exec(readme) ?? []
  const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? []
  expect(block).toMatch(/^npm ci\n/)
  const cloud = await startCloud()
  const { CLOUDFLARE_API_TOKEN: _, NEON_API_KEY: __, ...env } = cloud.env
  // The permissions that it names for a service at workers.dev are all that the token has.
  const [named = '', more = ''] = section.replaceAll('\n   ', ' ').split('for a domain of yours')
  const scopesIn = (text: string) => SCOPES.filter((scope) => text.includes(scope.replace(':', ': ')))
  cloud.cloudflare.scopes = new Set(scopesIn(named))
  // `npm ci` has run already, and would remove packages that other tests are using.
  const lines = block.replace('npm ci\n', '').replace('<token>', TOKEN).replace('<key>', NEON_KEY)
  expect(lines).not.toMatch(/[<>]/)
  cloud.env = env
  const output = await shell(cloud, lines)
  expect(output).toContain('the service is healthy, and a wallet has logged in')
  expect(output).toContain('https://agentcred-root.acme.workers.dev/console/')
  cloud.cloudflare.scopes = new Set(scopesIn(named + more))
  const exports = lines.split('\n').filter((line) => line.startsWith('export '))
  const [, moving = ''] = /`(npm run setup -- --domain [^`]*)`/.exec(section) ?? []
  const moved = await shell(
    cloud,
    [...exports, moving.replace('api.example.com', 'api.acme.test')].join('\n'),
  )
  expect(moved).toContain('https://api.acme.test/v1')
  expect([...cloud.cloudflare.domains]).toEqual([['api.acme.test', 'agentcred-root']])
  // The former address goes on, and its pages lead to the new one.
  const { onWorkersDev, metadata } = cloud.cloudflare.scripts.get('agentcred-root') ?? {}
  const former = metadata?.bindings.find(({ name }) => name === 'FORMER_HOSTS')?.text
  expect([onWorkersDev, former]).toEqual([true, 'agentcred-root.acme.workers.dev'])
  const [removing = ''] = /npm run destroy/.exec(section) ?? []
  const removed = await shell(cloud, [...exports, `${removing} -- --yes agentcred`].join('\n'))
  expect(removed).toContain('The deployment agentcred is removed.')
  expect([cloud.cloudflare.scripts.size, cloud.neon.projects]).toEqual([0, []])
})
