import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { sourceOf } from '../support/cloud/releases.ts'
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
