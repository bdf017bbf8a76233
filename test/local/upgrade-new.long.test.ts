import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { devnetNode } from '../support/cloud/node.ts'
import { logsIn } from '../support/cloud/operated.ts'
import { formerly, sourceOf, wholeService } from '../support/cloud/releases.ts'
import { deployedSecrets, secretsOf } from '../support/cloud/scripts.ts'
import { deployFirst, endState, reroute, runUpgrade } from '../support/cloud/upgrades.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

type Change = NonNullable<Parameters<typeof sourceOf>[1]>

/** Brings a Worker with a class of its own, and a class to a Worker that is there. */
const bring: Change = (env) => {
  env.live = {
    ...{ name: 'agentcred-live', main: env.jobs?.main ?? '' },
    routes: [{ pattern: 'api.agentcred.example/v1/live*', zone_name: 'agentcred.example' }],
    durable_objects: { bindings: [{ name: 'OWN', class_name: 'Clock' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Clock'] }],
  }
  env.jobs?.migrations?.push({ tag: 'v2', new_sqlite_classes: ['Second'] })
}
const use: Change = (env) => {
  bring(env)
  env.mcp?.services?.push({ binding: 'LIVE', service: 'agentcred-live' })
  env.jobs?.durable_objects?.bindings.push({ name: 'SECOND', class_name: 'Second' })
}

it('adds a new Worker and a new class by a deployment, and uses them a release later', async () => {
  await deployFirst(cloud)
  expect((await runUpgrade(cloud, sourceOf('1.1.0', use))).stopped).toMatch(/which this release adds/)
  const plan = await runUpgrade(cloud, sourceOf('1.1.0', bring), { isPlan: true })
  expect(plan.said).toContain('agentcred-live  new: deploy it')
  expect(plan.said).toContain('agentcred-jobs  new Durable Object class: deploy it')
  // The class has come, and what comes behind it fails: there is no way back past it.
  cloud.faults.before = ({ name }) =>
    name.endsWith('/v1/health/workers') ? Response.json({}, { status: 500 }) : undefined
  const { stopped } = await runUpgrade(cloud, sourceOf('1.1.0', bring))
  expect(stopped).toMatch(
    /root answers 500.*Every Worker runs its former version, except agentcred-jobs, whose new class can’t be removed/,
  )
  cloud.faults.before = () => undefined
  const failed = endState(cloud)
  expect(failed).toMatchObject({
    'agentcred-live': { shares: [[0, 100]], versions: 1 },
    'agentcred-jobs': { shares: [[1, 100]], versions: 2 },
    'agentcred-root': { shares: [[0, 100]], versions: 2 },
  })
  expect((await runUpgrade(cloud, sourceOf('1.1.0', bring))).stopped).toBeUndefined()
  expect(endState(cloud)).toEqual({
    ...failed,
    'agentcred-root': { shares: [[2, 100]], versions: 3, crons: [] },
  })
  const root = cloud.cloudflare.scripts.get('agentcred-root')?.metadata.bindings
  expect(root).toContainEqual({ type: 'service', name: 'GATEWAY_LIVE', service: 'agentcred-live' })

  expect((await runUpgrade(cloud, sourceOf('1.2.0', use))).stopped).toBeUndefined()
  expect(endState(cloud)).toMatchObject({
    'agentcred-jobs': { shares: [[2, 100]] },
    'agentcred-mcp': { shares: [[1, 100]] },
  })
})

it('makes the KV namespace that a release adds once, also after a killed run, and goes back without it', async () => {
  await deployFirst(cloud)
  const { namespaces } = cloud.cloudflare
  const added = sourceOf('1.1.0', ({ jobs }) => {
    if (jobs) jobs.kv_namespaces = [{ binding: 'CATALOG', id: '2'.repeat(32) }]
  })
  const plan = await runUpgrade(cloud, added, { isPlan: true })
  expect(plan.said).toContain('make  the KV namespace agentcred-catalog')
  expect(namespaces.has('agentcred-catalog')).toBe(false)
  // Cloudflare makes it, and its answer is lost, as is all that follows.
  let isMade = false
  cloud.faults.after = ({ name }) => {
    isMade ||= /POST .*kv.namespaces$/.test(name)
    return isMade ? Response.json({}, { status: 500 }) : undefined
  }
  expect((await runUpgrade(cloud, added)).stopped).toBeDefined()
  cloud.faults.after = () => undefined
  const id = namespaces.get('agentcred-catalog')
  expect(id).toBeDefined()
  expect((await runUpgrade(cloud, added)).stopped).toBeUndefined()
  expect([namespaces.get('agentcred-catalog'), namespaces.size]).toEqual([id, 1])
  const { bindings } = cloud.cloudflare.scripts.get('agentcred-jobs')?.metadata ?? {}
  expect(bindings).toContainEqual({ type: 'kv_namespace', name: 'CATALOG', namespace_id: id })
  expect((await runUpgrade(cloud, added)).said).toBe('Nothing to do: this release already runs.')
  expect((await runUpgrade(cloud, sourceOf('1.0.0'), { isRollback: true })).stopped).toBeUndefined()
  expect((await runUpgrade(cloud, added)).stopped).toBeUndefined()
  expect([namespaces.get('agentcred-catalog'), namespaces.size]).toEqual([id, 1])
})

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
  expect([...scripts.keys()]).toHaveLength(17)

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
