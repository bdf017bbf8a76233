import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { readSetup } from '../../lib/cli/setup/options.ts'
import { setUp } from '../../lib/cli/setup/run.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { cloudflareError, type Values } from '../support/cloud/in-process.ts'
import { sourceOf } from '../support/cloud/releases.ts'
import { reroute } from '../support/cloud/upgrades.ts'

const AT_WORKERS_DEV = 'agentcred-root.acme.workers.dev'

/** Runs setup in this process. @returns what it said, and why it stopped */
async function run(cloud: Cloud, values: Values = {}) {
  const lines: string[] = []
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const command = { folder, env: cloud.env, say: (line: string) => lines.push(line) }
  const stopped = await Promise.try(() =>
    setUp({ ...command, source: sourceOf('1.0.0') }, readSetup(values, folder)),
  ).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { said: lines.join('\n'), stopped }
}

async function deployed(): Promise<Cloud> {
  const cloud = await startCloud()
  reroute(() => cloud)
  expect((await run(cloud)).stopped).toBeUndefined()
  return cloud
}

/** Where root answers, and where it leads pages from and to. */
function rootOf({ cloudflare, folder }: Cloud) {
  const { onWorkersDev, metadata } = cloudflare.scripts.get('agentcred-root') ?? {}
  const varOf = (wanted: string) => metadata?.bindings.find(({ name }) => name === wanted)?.text
  const path = join(folder, 'deployment.json')
  const { host } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    ...{ host, onWorkersDev, domains: [...cloudflare.domains.keys()] },
    ...{ from: varOf('FORMER_HOSTS'), to: varOf('API_ORIGIN'), own: varOf('API_HOST') },
  }
}

const MOVED = {
  host: 'api.acme.test',
  onWorkersDev: true,
  domains: ['api.acme.test'],
  from: AT_WORKERS_DEV,
  to: 'https://api.acme.test',
  own: `api.acme.test,${AT_WORKERS_DEV}`,
}

it('answers at both hosts after a move, at three after the next, and moves back', async () => {
  const cloud = await deployed()
  expect(rootOf(cloud)).toMatchObject({ onWorkersDev: true, domains: [], from: '', own: AT_WORKERS_DEV })
  const before = [rootOf(cloud), cloud.files()]
  const plan = await run(cloud, { domain: 'api.acme.test', plan: true })
  expect(plan.said).toMatch(
    new RegExp(
      `^move  the service from ${AT_WORKERS_DEV} to api.acme.test. API calls to .* still work. Once .* pages redirect to`,
      'm',
    ),
  )
  expect([rootOf(cloud), cloud.files()]).toEqual(before)

  const calls = cloud.calls.length
  const moved = await run(cloud, { domain: 'api.acme.test' })
  expect(moved.stopped).toBeUndefined()
  expect(moved.said).toContain(`pages at ${AT_WORKERS_DEV} redirect to api.acme.test`)
  expect(rootOf(cloud)).toEqual(MOVED)
  // Nobody is led to a host before it has answered.
  const names = cloud.calls.slice(calls).map(({ name }) => name)
  const [first, last] = [
    names.indexOf('service GET /v1/health'),
    names.findLastIndex((one) => /(PUT|POST) .*scripts\/agentcred-root(\/versions)?$/.test(one)),
  ]
  expect([first > 0, last > first]).toEqual([true, true])

  expect((await run(cloud, { domain: 'www.acme.test' })).stopped).toBeUndefined()
  expect(rootOf(cloud)).toMatchObject({
    domains: expect.arrayContaining(['api.acme.test', 'www.acme.test']),
    from: `${AT_WORKERS_DEV},api.acme.test`,
    to: 'https://www.acme.test',
  })
  expect((await run(cloud, { domain: 'api.acme.test' })).stopped).toBeUndefined()
  expect(rootOf(cloud)).toMatchObject({
    from: `${AT_WORKERS_DEV},www.acme.test`,
    to: 'https://api.acme.test',
  })
  const again = cloud.calls.length
  expect((await run(cloud)).stopped).toBeUndefined()
  const changes = cloud.calls.slice(again).filter(({ name }) => /^(cloudflare|neon) (?!GET)/.test(name))
  expect(changes).toEqual([])
})

it('redirects nothing while the new host does not answer', async () => {
  const cloud = await deployed()
  cloud.faults.before = ({ name }) =>
    name.startsWith('service') ? new Response('error code: 1016', { status: 530 }) : undefined
  expect((await run(cloud, { domain: 'api.acme.test', timeout: '1' })).stopped).toMatch(/does not answer yet/)
  expect(rootOf(cloud)).toEqual({ ...MOVED, from: '' })
  cloud.faults.before = () => undefined
  expect((await run(cloud)).stopped).toBeUndefined()
  expect(rootOf(cloud)).toEqual(MOVED)
})

it('ends the same when each change of a move fails once, before or after it was made', async () => {
  const cloud = await deployed()
  const failed = new Set<string>()
  const fail = (moment: string) => (call: { name: string }) => {
    const key = `${moment} ${call.name}`
    if (!/^cloudflare (PUT|POST|PATCH)/.test(call.name) || failed.has(key)) return undefined
    failed.add(key)
    return cloudflareError(400, 10_001, 'Not now')
  }
  cloud.faults.before = fail('before')
  cloud.faults.after = fail('after')
  for (let runs = 0; ; runs++) {
    expect(runs).toBeLessThan(40)
    if ((await run(cloud, { domain: 'api.acme.test' })).stopped === undefined) break
  }
  expect(failed.size).toBeGreaterThan(5)
  expect(rootOf(cloud)).toEqual(MOVED)
})
