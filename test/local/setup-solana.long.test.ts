import { readdirSync } from 'node:fs'
import { base58 } from '@scure/base'
import pg from 'pg'
import { expect, it } from 'vitest'
import { newestFeePayer } from '../../lib/tools/keys/x402.ts'
import type { Cloud } from '../support/cloud/cloud.ts'
import { inProcess, type Values } from '../support/cloud/in-process.ts'
import { devnetNode } from '../support/cloud/node.ts'

const { cloud: cloudOf, run, changes } = inProcess()

it.each<[string, Values]>([
  ['gateway', {}],
  ['routes', { topology: 'routes', domain: 'api.acme.test' }],
])('makes every Worker with Solana, x402 too, and keys that stay: %s', async (topology, where) => {
  const cloud = cloudOf()
  const { cloudflare } = cloud
  if (topology === 'routes') cloudflare.records.add('api.acme.test')
  const env = await devnetNode()
  const values = { solana: 'devnet', name: 'acme', ...where }
  const plan = await run({ ...values, plan: true }, env)
  expect(plan.said).toMatch(/make {2}keys: .*X402_FEE_PAYER_KEY, X402_KEY_SECRET/)
  expect(plan.said).toMatch(/deploy .*acme-x402/)
  expect([cloudflare.scripts.size, readdirSync(cloud.folder)]).toEqual([0, []])

  const { said, stopped } = await run(values, env)
  expect(stopped).toBeUndefined()
  expect(said).toContain('the service is healthy, and a wallet has logged in')
  expect(said).not.toContain('hunter2')
  expect(cloudflare.scripts.size).toBe(19)
  await expectX402(cloud, topology, env)
  const { X402_FEE_PAYER_KEY = '' } = cloudflare.scripts.get('acme-x402')?.secrets ?? {}
  expect(said).toContain(`some SOL, and nothing else, to ${newestFeePayer(X402_FEE_PAYER_KEY)}`)
  expect(said).not.toContain(X402_FEE_PAYER_KEY)
  const onWorkersDev = [...cloudflare.scripts].filter(([, script]) => script.onWorkersDev)
  expect(onWorkersDev.map(([name]) => name)).toEqual(topology === 'gateway' ? ['acme-root'] : [])
  const recovery = cloud.files().find(({ path }) => path.endsWith('/vault-recovery-1.json'))
  expect(said).toContain(`MOVE ${recovery?.path} offline`)
  expect(JSON.parse(recovery?.text ?? '')).toHaveLength(64)
  expectJobRecovery(cloud, said)

  // Without the environment's settings: the stored ones are enough.
  const secrets = () => [...cloudflare.scripts].map(([name, script]) => [name, script.secrets])
  const before = secrets()
  const count = changes().length
  const again = await run()
  expect(again.said.match(/^kept {2}acme-/gm)).toHaveLength(19)
  expect(again.said).not.toMatch(/^(made|make|deploy) /m)
  expect(changes()).toHaveLength(count)
  expect(secrets()).toEqual(before)
  const changed = await run({ var: ['VAULT_STACKING=off'] })
  expect(changed.said).toContain('deploy acme-vault')
  expect(changed.said).toContain('kept  acme-auth')
})

/** Expects the address of the recovery key of jobs in its Workers, and the secret in its file only. */
function expectJobRecovery(cloud: Cloud, said: string) {
  const files = cloud.files()
  const file = files.find(({ path }) => path.endsWith('/payments-recovery-1.json'))
  expect(said).toContain(`MOVE ${file?.path} offline`)
  const key = Uint8Array.from(JSON.parse(file?.text ?? '[]') as number[])
  const scripts = [...cloud.cloudflare.scripts]
  const settings = scripts.flatMap(([name, { metadata }]) =>
    metadata.bindings.flatMap((one) =>
      one.name === 'PAYMENTS_RECOVERY_ADDRESSES' ? [[name, one.text]] : [],
    ),
  )
  const address = `1:${base58.encode(key.subarray(32))}`
  expect(settings.toSorted()).toEqual([
    ['acme-payments', address],
    ['acme-work', address],
  ])
  const others = files.filter(({ path }) => path !== file?.path).map(({ text }) => text)
  const known = JSON.stringify([others, scripts.map(([, { metadata, secrets }]) => [metadata, secrets])])
  expect(known).not.toContain(base58.encode(key))
}

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
