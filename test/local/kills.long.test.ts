import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addForeign, stateOf } from '../support/cloud/accounts.ts'
import type { Call, Cloud } from '../support/cloud/cloud.ts'
import { SESSIONS, WITH_QUEUES } from '../support/cloud/releases.ts'
import { deployedSecrets } from '../support/cloud/scripts.ts'
import {
  DESTROY,
  endState,
  expectNoSecrets,
  newCloud,
  STUB_ROTATE,
  STUB_SETUP,
  setupsOf,
  UPGRADE,
} from '../support/cloud/setups.ts'
import { codeOf, deployFirst, reroute, endState as versionsOf } from '../support/cloud/upgrades.ts'

/* One SIGKILL for each command; the nightly tests kill at every call. */

let cloud: Cloud
beforeEach(async () => {
  cloud = await newCloud()
  reroute(() => cloud)
})
afterEach(() => vi.unstubAllGlobals())

/** Runs a command that is killed after a call, and once more to its end. */
async function runKilled(script: typeof DESTROY, isLast: (call: Call) => boolean) {
  const runs = setupsOf(cloud, script)
  let isKilled = false
  cloud.faults.after = (call) => {
    if (isKilled || !isLast(call)) return undefined
    isKilled = true
    runs.look()
    return runs.kill()
  }
  expect(await runs.run()).not.toContain(script.done)
  expect(isKilled).toBe(true)
  expect(await runs.run()).toContain(script.done)
  return runs
}

it('setup makes everything once when killed after the upload of a Worker', async () => {
  const runs = await runKilled(STUB_SETUP, ({ name }) => /PUT .*\/scripts\/agentcred-jobs$/.test(name))
  const { workers, queues, made } = endState(cloud)
  expect(workers.map(({ name }) => name)).toEqual(['agentcred-jobs', 'agentcred-mcp', 'agentcred-root'])
  expect(queues.map(([, consumers]) => consumers)).toEqual([1, 1])
  expect(made).toEqual({ namespaces: 1, queues: 2, subdomains: 1, projects: 1 })
  expect(readdirSync(cloud.folder)).not.toContain('upload.json')
  expectNoSecrets(cloud, runs)
})

it('an upgrade promotes each version once when killed after a promotion', async () => {
  await deployFirst(cloud)
  await runKilled(
    UPGRADE,
    ({ name, body }) => /mcp\/deployments$/.test(name) && /"percentage":100\}\]/.test(body),
  )
  expect(versionsOf(cloud)['agentcred-mcp']).toEqual({
    ...{ shares: [[1, 100]], versions: 2, crons: ['0 3 * * *'] },
  })
  expect(codeOf(cloud, 'mcp')).toBe('2')
})

it('destroy removes all of a deployment, and nothing else, when killed after a Worker', async () => {
  addForeign(cloud)
  const before = stateOf(cloud)
  await deployFirst(cloud, WITH_QUEUES)
  await runKilled(DESTROY, ({ name }) => /DELETE .*\/scripts\/agentcred-\w+$/.test(name))
  // Its next owner would receive sessions and keys.
  expect(stateOf(cloud)).toEqual({ ...before, subdomain: cloud.cloudflare.subdomain })
  expect(readdirSync(cloud.folder)).toEqual(['secrets.json'])
})

it('a rotation makes one new key when killed after the upload of a Worker', async () => {
  await deployFirst(cloud, SESSIONS)
  const kidsOf = (worker: string): string[] =>
    JSON.parse(deployedSecrets(cloud, worker).SESSION_JWKS ?? '').keys.map(({ kid }: { kid: string }) => kid)
  const [first = ''] = kidsOf('auth')
  await runKilled(STUB_ROTATE, ({ name }) =>
    /(PUT|POST) .*\/scripts\/agentcred-agents(\/versions)?$/.test(name),
  )
  expect(kidsOf('agents')).toEqual([expect.any(String), first])
  expect(kidsOf('auth')).toEqual(kidsOf('agents'))
  const { kid } = JSON.parse(deployedSecrets(cloud, 'auth').SESSION_SIGNING_KEY ?? '')
  expect(kidsOf('auth')[0]).toBe(kid)
})
