import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { devnetNode } from '../support/cloud/node.ts'
import { logsIn } from '../support/cloud/operated.ts'
import { formerly, wholeService } from '../support/cloud/releases.ts'
import { deployedSecrets, secretsOf } from '../support/cloud/scripts.ts'
import { deployFirst, reroute, runUpgrade } from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

/** What a deployment of 1.0.0 has no secrets of. */
const OF_X402 = ['X402_FEE_PAYER_KEY', 'X402_KEY_SECRET', 'DATABASE_URL_X402']
const before = wholeService('1.0.0', ['x402'])
const after = wholeService('1.1.0')

it.each([
  ['gateway', {}],
  ['routes', { topology: 'routes', domain: 'api.acme.test' }],
])('payments for requests come to a deployment without them: %s', async (topology, where) => {
  if (topology === 'routes') cloud.cloudflare.records.add('api.acme.test')
  const { env } = cloud
  cloud.env = { ...env, ...(await devnetNode()) }
  await deployFirst(cloud, before, { solana: 'devnet', ...where })
  cloud.env = env
  const former = Object.entries(secretsOf(cloud)).filter(([name]) => !OF_X402.includes(name))
  writeFileSync(join(cloud.folder, 'secrets.json'), JSON.stringify(Object.fromEntries(former)))
  const { scripts, routes } = cloud.cloudflare
  expect([...scripts.keys()]).toHaveLength(18)

  const files = cloud.files()
  const plan = await runUpgrade(cloud, after, { isPlan: true })
  expect(plan.said.split('\n')).toEqual([
    'release 1.0.0 runs; release 1.1.0 will replace it',
    'make  keys: X402_FEE_PAYER_KEY, X402_KEY_SECRET',
    'agentcred-x402  new: deploy it',
    'agentcred-root  new version',
  ])
  expect([cloud.files(), scripts.has('agentcred-x402')]).toEqual([files, false])

  const done = await runUpgrade(cloud, after)
  expect(done.stopped).toBeUndefined()
  const secrets = secretsOf(cloud)
  expect(Object.fromEntries(former)).toEqual(
    Object.fromEntries(Object.entries(secrets).filter(([name]) => !OF_X402.includes(name))),
  )
  const made = {
    DATABASE_URL: secrets.DATABASE_URL_X402,
    SESSION_JWKS: secrets.SESSION_JWKS,
    SOLANA_RPC_URL: secrets.SOLANA_RPC_URL,
    X402_FEE_PAYER_KEY: secrets.X402_FEE_PAYER_KEY,
    X402_KEY_SECRET: secrets.X402_KEY_SECRET,
  }
  expect(deployedSecrets(cloud, 'x402')).toEqual(made)
  expect(await logsIn(secrets.DATABASE_URL_X402 ?? '')).toBe(true)
  for (const secret of Object.values(made)) expect(done.said).not.toContain(secret)
  const isReached = () => {
    const { bindings = [] } = scripts.get('agentcred-root')?.metadata ?? {}
    const table = bindings.find(({ name }) => name === 'GATEWAY')?.text ?? ''
    return {
      byGateway: / \/v1\/x402=GATEWAY_X402( |$)/.test(table) && bindings.some(isGatewayOf('agentcred-x402')),
      byRoute: routes.get('api.acme.test/v1/x402*') === 'agentcred-x402',
    }
  }
  const isGateway = topology === 'gateway'
  expect(isReached()).toEqual({ byGateway: isGateway, byRoute: !isGateway })
  expect((await runUpgrade(cloud, after)).said).toBe('Nothing to do: this release already runs.')

  // Back to the release before the Worker stays, with its route; root does not know it.
  const back = await runUpgrade(cloud, after, { isRollback: true, former: formerly(before) })
  expect(back.said).toContain('stay  agentcred-x402, which release 1.0.0 does not have')
  expect(back.said).toContain('Release 1.0.0 runs again.')
  expect(isReached()).toEqual({ byGateway: false, byRoute: !isGateway })
  expect((await runUpgrade(cloud, after)).stopped).toBeUndefined()
  expect(isReached()).toEqual({ byGateway: isGateway, byRoute: !isGateway })
  expect(deployedSecrets(cloud, 'x402')).toEqual(made)
})

const isGatewayOf = (worker: string) => (one: { name: string; service?: string }) =>
  one.name === 'GATEWAY_X402' && one.service === worker
