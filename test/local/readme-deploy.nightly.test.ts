import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { newestFeePayer } from '../../lib/tools/keys/x402.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { SCOPES, TOKEN } from '../support/cloud/cloudflare.ts'
import { NEON_KEY } from '../support/cloud/neon.ts'
import { devnetNode } from '../support/cloud/node.ts'

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

describe.each(['gateway', 'routes'] as const)('with Solana, topology %s', (topology) => {
  it('makes every Worker, also x402, stable keys, and a file for the recovery key', async () => {
    const cloud = await startCloud()
    const { cloudflare } = cloud
    if (topology === 'routes') cloudflare.records.add('api.acme.test')
    const env = await devnetNode()
    const where = topology === 'routes' ? '--topology routes --domain api.acme.test' : ''
    const command = `npm run --silent setup -- --solana devnet ${where} --name acme`
    const plan = await shell(cloud, `${command} --plan`, env)
    expect(plan).toMatch(/make {2}keys: .*X402_FEE_PAYER_KEY, X402_KEY_SECRET/)
    expect(plan).toMatch(/deploy .*acme-x402/)
    expect([cloudflare.scripts.size, readdirSync(cloud.folder)]).toEqual([0, []])

    const output = await shell(cloud, command, env)
    expect(output).toContain('the service is healthy, and a wallet has logged in')
    expect(output).not.toContain('hunter2')
    expect(cloudflare.scripts.size).toBe(18)
    await expectX402(cloud, topology, env)
    const { X402_FEE_PAYER_KEY = '' } = cloudflare.scripts.get('acme-x402')?.secrets ?? {}
    expect(output).toContain(`some SOL, and nothing else, to ${newestFeePayer(X402_FEE_PAYER_KEY)}`)
    expect(output).not.toContain(X402_FEE_PAYER_KEY)
    const onWorkersDev = [...cloudflare.scripts].filter(([, script]) => script.onWorkersDev)
    expect(onWorkersDev.map(([name]) => name)).toEqual(topology === 'gateway' ? ['acme-root'] : [])
    const recovery = cloud.files().find(({ path }) => path.endsWith('/vault-recovery-1.json'))
    expect(output).toContain(`MOVE ${recovery?.path} offline`)
    expect(JSON.parse(recovery?.text ?? '')).toHaveLength(64)

    // Without the environment's settings: the stored ones are enough.
    const secrets = () => [...cloudflare.scripts].map(([name, script]) => [name, script.secrets])
    const before = secrets()
    const calls = cloud.calls.length
    const again = await shell(cloud, 'npm run --silent setup')
    expect(again.match(/^kept {2}acme-/gm)).toHaveLength(18)
    expect(again).not.toMatch(/^(made|make|deploy) /m)
    const changes = cloud.calls.slice(calls).filter(({ name }) => /^(cloudflare|neon) (?!GET)/.test(name))
    expect(changes).toEqual([])
    expect(secrets()).toEqual(before)
    const changed = await shell(cloud, 'npm run --silent setup -- --var VAULT_STACKING=off')
    expect(changed).toContain('deploy acme-vault')
    expect(changed).toContain('kept  acme-auth')
  })
})

/** Expects how the Worker x402 is made and reached, and that it has a login of its own. */
async function expectX402({ cloudflare }: Cloud, topology: string, env: { VAULT_MINT: string }) {
  const { metadata, secrets = {} } = cloudflare.scripts.get('acme-x402') ?? {}
  expect(Object.keys(secrets).toSorted()).toEqual([
    ...['DATABASE_URL', 'SESSION_JWKS', 'SOLANA_RPC_URL', 'X402_FEE_PAYER_KEY', 'X402_KEY_SECRET'],
  ])
  const holders = [...cloudflare.scripts].filter(([, one]) => 'X402_FEE_PAYER_KEY' in one.secrets)
  expect(holders.map(([name]) => name)).toEqual(['acme-x402'])
  const network = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  const bound = (script: string) => cloudflare.scripts.get(script)?.metadata.bindings ?? []
  const textOf = (script: string, wanted: string) => bound(script).find(({ name }) => name === wanted)?.text
  expect([textOf('acme-x402', 'X402_NETWORK'), textOf('acme-x402', 'VAULT_MINT')]).toEqual([
    ...[network, env.VAULT_MINT],
  ])
  expect(metadata?.bindings).toContainEqual(
    expect.objectContaining({ type: 'service', name: 'CLOCK', service: 'acme-jobs' }),
  )
  const isGateway = topology === 'gateway'
  const gateway = { type: 'service', name: 'GATEWAY_X402', service: 'acme-x402' }
  expect(bound('acme-root').filter(({ name }) => name === 'GATEWAY_X402')).toEqual(isGateway ? [gateway] : [])
  const paths = textOf('acme-root', 'GATEWAY')?.split(' ') ?? []
  expect(paths.includes('/v1/x402=GATEWAY_X402')).toBe(isGateway)
  expect(cloudflare.routes.get('api.acme.test/v1/x402*')).toBe(isGateway ? undefined : 'acme-x402')
  expect(textOf('acme-root', 'NOT_OFFERED')).toBe('')
  const client = new pg.Client({ connectionString: secrets.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(`select current_user as login, 
    has_any_column_privilege('request_payments', 'select') as reads, has_any_column_privilege('vaults', 'select') as vaults`)
  await client.end()
  expect(rows).toEqual([{ login: 'agentcred_x402_a', reads: true, vaults: false }])
}
