import { afterEach, expect, it, vi } from 'vitest'
import type { Deployment } from '../../lib/cli/deploy/deployment.ts'
import { startCloud } from '../support/cloud/cloud.ts'
import { machineOf } from '../support/cloud/machines.ts'
import { WITH_QUEUES } from '../support/cloud/releases.ts'
import { reroute } from '../support/cloud/upgrades.ts'
import { addDatabase } from '../support/database.ts'

afterEach(() => vi.unstubAllGlobals())

it('shares nothing between two deployments of an account, and changes only its own', async () => {
  const cloud = await startCloud()
  reroute(() => cloud)
  const { cloudflare, neon } = cloud
  const [one, two] = ['acme-one', 'acme-two'].map((name) => ({
    name,
    machine: machineOf(cloud, WITH_QUEUES),
  }))
  if (!one || !two) throw new Error('two deployments')
  for (const { name, machine } of [one, two]) {
    neon.urls[name] = await addDatabase()
    expect((await machine.setUp({ name })).stopped).toBeUndefined()
  }
  for (const { name } of [one, two]) {
    const own = (names: Iterable<string>) => [...names].filter((each) => each.startsWith(`${name}-`)).length
    const { scripts, queues, namespaces } = cloudflare
    expect([own(scripts.keys()), own(queues.keys()), own(namespaces.keys())]).toEqual([3, 2, 1])
    expect(neon.projects.filter((project) => project.name === name)).toHaveLength(1)
  }
  const [first, second] = [one, two].map(({ machine }) => machine.read('deployment.json') as Deployment)
  for (const part of ['name', 'host', 'publisher', 'neonProject', 'rateLimits', 'kv'] as const)
    expect(first?.[part], part).not.toEqual(second?.[part])
  const secretsOfTwo = Object.values(two.machine.secrets())
  expect(Object.values(one.machine.secrets()).filter((secret) => secretsOfTwo.includes(secret))).toEqual([])
  for (const [name, { secrets, metadata }] of cloudflare.scripts) {
    const other = name.startsWith(`${one.name}-`) ? two : one
    expect(JSON.stringify([secrets, metadata]), name).not.toContain(`${other.name}-`)
  }

  cloud.calls.length = 0
  expect((await one.machine.rotate('webhooks')).stopped).toBeUndefined()
  expect((await one.machine.setUp({ var: ['CODE=7'] })).stopped).toBeUndefined()
  expect((await one.machine.upgrade()).said).toBe('Nothing to do: this release already runs.')
  expect(cloud.calls.filter(({ name, body }) => `${name} ${body}`.includes(`${two.name}-`))).toEqual([])
  expect(Object.values(two.machine.secrets())).toEqual(secretsOfTwo)
})
