import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { serveOnLoopback } from '../../lib/local/loopback.ts'
import { newestFeePayer } from '../../lib/tools/keys/x402.ts'
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
      NODE_OPTIONS: `--import ${join(ROOT, 'test/support/cloud/reroute.mjs')}`,
      REROUTE_TO: `${cloud.origin}/service`,
      ...env,
    },
  })
  return stdout + stderr
}

it('README’s section “Deploy”, word for word, makes a deployment', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const section = readme.slice(readme.indexOf('\n## Deploy\n') + 1, readme.indexOf('\n## Architecture\n'))
  expect(section.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
  const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? []
  expect(block).toMatch(/^npm ci\n/)
  const cloud = await startCloud()
  const { CLOUDFLARE_API_TOKEN: _, NEON_API_KEY: __, ...env } = cloud.env
  // The permissions that it names for a service at workers.dev are all that the token has.
  const [named = '', more = ''] = section.replaceAll('\n   ', ' ').split('for a domain of yours')
  const scopesIn = (text: string) => SCOPES.filter((scope) => text.includes(scope.replace(':', ': ')))
  cloud.cloudflare.scopes = new Set(scopesIn(named))
  // What npm ci installs is here already, and it would take it away under the feet of the other tests.
  const lines = block.replace('npm ci\n', '').replace('<token>', TOKEN).replace('<key>', NEON_KEY)
  expect(lines).not.toMatch(/[<>]/)
  cloud.env = env
  const output = await shell(cloud, lines)
  expect(output).toContain('it is well, and a wallet has logged in')
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
})

it('with Solana and routes: every Worker, keys that stay, the recovery key in a file of its own', async () => {
  const cloud = await startCloud()
  cloud.cloudflare.records.add('api.acme.test')
  const answer = async (request: Request) => {
    const { id } = (await request.json()) as { id: unknown }
    return Response.json({ jsonrpc: '2.0', id, result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkrZBG' })
  }
  const node = await serveOnLoopback('A node', answer, 0)
  onTestFinished(node.close)
  const env = { SOLANA_RPC_URL: `${node.origin}/?api-key=hunter2`, VAULT_MINT: createWallet().publicKey }
  const command =
    'npm run --silent setup -- --solana devnet --topology routes --domain api.acme.test --name acme'
  const output = await shell(cloud, command, env)
  expect(output).toContain('it is well, and a wallet has logged in')
  expect(output).not.toContain('hunter2')
  expect(cloud.cloudflare.scripts.size).toBe(18)
  expect(cloud.cloudflare.routes.get('api.acme.test/v1/vault*')).toBe('acme-vault')
  expect(cloud.cloudflare.routes.get('api.acme.test/v1/x402*')).toBe('acme-x402')
  const { X402_FEE_PAYER_KEY = '' } = cloud.cloudflare.scripts.get('acme-x402')?.secrets ?? {}
  expect(output).toContain(`some SOL, and nothing else, for ${newestFeePayer(X402_FEE_PAYER_KEY)}`)
  expect(output).not.toContain(X402_FEE_PAYER_KEY)
  expect([...cloud.cloudflare.scripts.values()].filter(({ onWorkersDev }) => onWorkersDev)).toEqual([])
  const recovery = cloud.files().find(({ path }) => path.endsWith('/vault-recovery-1.json'))
  expect(output).toContain(`MOVE ${recovery?.path} offline`)
  expect(JSON.parse(recovery?.text ?? '')).toHaveLength(64)
  const secrets = () => cloud.cloudflare.scripts.get('acme-vault')?.secrets
  const before = secrets()
  // Without the environment's: what was kept is enough.
  const again = await shell(cloud, 'npm run --silent setup')
  expect(again).toContain('kept  acme-vault')
  expect(secrets()).toEqual(before)
  const changed = await shell(cloud, 'npm run --silent setup -- --var VAULT_STACKING=off')
  expect(changed).toContain('deploy acme-vault')
  expect(changed).toContain('kept  acme-auth')
})
